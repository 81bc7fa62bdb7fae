import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const LOCK_FILES: readonly [file: string, command: string][] = [
  ['pnpm-lock.yaml', 'pnpm add'],
  ['yarn.lock', 'yarn add'],
  ['bun.lock', 'bun add'],
  ['bun.lockb', 'bun add'],
  ['package-lock.json', 'npm install'],
]

/** What installs a package in a folder, by the package manager whose lock file is nearest above it; npm where there is none. */
export function installCommand(packageName: string, folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const [, command] = LOCK_FILES.find(([file]) => existsSync(join(at, file))) ?? []
    if (command !== undefined) return `${command} ${packageName}`
    if (at === dirname(at)) return `npm install ${packageName}`
  }
}
