import { fileURLToPath } from 'node:url'

/** The folder of a language's kernel; run it with the language's interpreter. It needs nothing beside it. */
export function kernelFolder(language: 'python'): string {
  return fileURLToPath(new URL(`../kernels/${language}`, import.meta.url))
}
