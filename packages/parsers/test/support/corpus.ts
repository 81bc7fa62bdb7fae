import { readdirSync, readFileSync } from 'node:fs'
import type { ActionParser, Finish } from '@codeact/spec'
import { codeOnly } from '../../src/code-only.ts'
import { fenced } from '../../src/fenced.ts'
import { xml } from '../../src/xml.ts'

/** One line of the corpus; `corpus/README.md` says what each field is. */
export interface CorpusCase {
  readonly id: string
  readonly parser: 'fenced' | 'xml' | 'code-only'
  readonly options?: object
  readonly input: string
  readonly finish: Finish
  readonly actions: readonly object[]
  readonly text: string
  readonly missing?: string
  readonly seen: string
}

const folder = new URL('../../corpus/', import.meta.url)

export const corpus: readonly CorpusCase[] = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n'))
  .map((line): CorpusCase => JSON.parse(line))

export function parserOf({ parser, options }: CorpusCase): ActionParser {
  return { fenced, xml, 'code-only': codeOnly }[parser](options)
}
