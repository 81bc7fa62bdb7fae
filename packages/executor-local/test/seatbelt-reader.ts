// Reads a Seatbelt profile as its manual describes the language, so that tests can ask what it permits.

type Form = string | Form[]

interface Rules {
  /** The forms of the profile, each a list whose first word says what it is. */
  readonly forms: readonly Form[][]
  readonly parameters: ReadonlyMap<string, string>
}

/** The rules that `sandbox-exec` would be given by these arguments. */
export function readRules(args: readonly string[]): Rules {
  const text = args[args.indexOf('-p') + 1] ?? ''
  const end = args.indexOf('--')
  const parameters = args.flatMap((arg, index): [string, string][] => {
    if (arg !== '-D' || index > end) return []
    const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(args[index + 1] ?? '') ?? []
    return [[name, value]]
  })
  return { forms: parse(text), parameters: new Map(parameters) }
}

/** Whether an operation on something is permitted: the last rule that fits decides, else the default. */
export function permits({ forms, parameters }: Rules, operation: string, subject: string): boolean {
  const verdicts = forms
    .filter(([verdict]) => verdict === 'allow' || verdict === 'deny')
    .filter(([, ...rest]) => {
      const operations = rest.filter((word) => typeof word === 'string')
      const filters = rest.filter((word) => typeof word !== 'string')
      if (operations.includes('default')) return true
      return (
        operations.some((pattern) => covers(pattern, operation)) &&
        (filters.length === 0 || filters.some((filter) => fits(filter, subject, parameters)))
      )
    })
  return verdicts.at(-1)?.[0] === 'allow'
}

function covers(pattern: string, operation: string): boolean {
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : pattern === operation
}

function fits([kind, argument, detail]: Form[], subject: string, parameters: Rules['parameters']): boolean {
  if (kind === 'require-all') return false
  // A socket is `ip`, or `unix-socket` and its path.
  if (kind === 'remote' || kind === 'local') {
    return subject === (Array.isArray(detail) ? `${argument} ${unquoted(detail[1])}` : argument)
  }
  const value = textOf(argument, parameters)
  if (kind === 'subpath') return subject === value || subject.startsWith(`${value}/`)
  if (String(kind).endsWith('-prefix')) return subject.startsWith(value)
  return subject === value
}

function textOf(argument: Form | undefined, parameters: Rules['parameters']): string {
  if (!Array.isArray(argument)) return unquoted(argument)
  const value = parameters.get(unquoted(argument[1]))
  if (argument[0] !== 'param' || value === undefined) throw new Error(`no such parameter: ${JSON.stringify(argument)}`)
  return value
}

function unquoted(word: Form | undefined): string {
  return String(word).replace(/^"(.*)"$/, '$1')
}

function parse(text: string): Form[][] {
  const stack: Form[][] = [[]]
  for (const token of text.match(/;.*|"[^"]*"|[()]|[^\s()"]+/g) ?? []) {
    if (token === '(') stack.push([])
    else if (token !== ')') stack.at(-1)?.push(token)
    else {
      const form = stack.pop()
      if (form === undefined || stack.length === 0) throw new Error('a bracket too many')
      stack.at(-1)?.push(form)
    }
  }
  if (stack.length !== 1) throw new Error('a bracket that is not closed')
  return (stack[0] ?? []).map((form) => {
    if (!Array.isArray(form)) throw new Error(`${form} stands alone`)
    return form
  })
}
