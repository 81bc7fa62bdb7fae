import type { Scanner } from '../../src/lexical/scanner.ts'

export function isInside(scanner: Scanner, code: string): boolean {
  scanner.scan(code)
  return scanner.inside
}

export function isInsideByChar(scanner: Scanner, code: string): boolean {
  for (const char of code.split('')) scanner.scan(char)
  return scanner.inside
}
