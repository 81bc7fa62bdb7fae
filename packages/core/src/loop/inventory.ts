import type { Sandbox, Variable } from '@codeact/spec'

const MOST = 60

/** The variables that there are, for the model to go by; empty where the sandbox cannot tell, or there are none. */
export async function inventory(sandbox: Sandbox, languages: Iterable<string>): Promise<string> {
  const lines: string[] = []
  for (const language of languages) {
    const variables = await sandbox.inspect?.(language).catch(() => [])
    if (variables === undefined || variables.length === 0) continue
    const rest = variables.length > MOST ? `, and ${variables.length - MOST} more` : ''
    lines.push(`Variables in ${language} now: ${variables.slice(0, MOST).map(described).join(', ')}${rest}.`)
  }
  return lines.join('\n')
}

function described({ name, type, shape, size }: Variable): string {
  const details = [type, shape, size === undefined ? undefined : bytes(size)].filter((part) => part !== undefined)
  return `${name} (${details.join(' ')})`
}

function bytes(size: number): string {
  if (size < 1000) return `${size} B`
  return size < 1e6 ? `${Math.round(size / 1000)} kB` : `${Math.round(size / 1e5) / 10} MB`
}
