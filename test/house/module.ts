import { parseSync, Visitor } from 'oxc-parser'

/** What one source file says that matters to the house. */
export interface Module {
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
  /** Every string in it, for packages that are named and not imported (`import.meta.resolve('pyodide')`). */
  readonly strings: readonly string[]
  readonly exportsAll: boolean
  readonly exportsDefault: boolean
}

export interface Import {
  readonly specifier: string
  /** Gone when the types are stripped. */
  readonly typeOnly: boolean
}

/** Reads a file of TypeScript or JavaScript. Throws where it is not. */
export function readModule(path: string, text: string): Module {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  const imports: Import[] = []
  const strings: string[] = []
  let exportsAll = false
  let exportsDefault = false
  const add = (specifier: unknown, typeOnly: boolean) => {
    if (typeof specifier === 'string') imports.push({ specifier, typeOnly })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === 'type'),
    ImportExpression: (node) => add(node.source.type === 'Literal' ? node.source.value : undefined, false),
    TSImportType: (node) => add(node.source.value, true),
    ExportNamedDeclaration(node) {
      add(node.source?.value, node.exportKind === 'type')
      exportsDefault ||= node.specifiers.some(({ exported }) => 'name' in exported && exported.name === 'default')
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.exportKind === 'type')
      exportsAll ||= node.exported === null
    },
    ExportDefaultDeclaration() {
      exportsDefault = true
    },
    Literal(node) {
      if (typeof node.value === 'string') strings.push(node.value)
    },
  }).visit(program)
  return { path, text, imports, strings, exportsAll, exportsDefault }
}
