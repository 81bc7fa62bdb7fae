import { readFileSync } from 'node:fs'
import type { Action } from '@codeact/spec'
import { expect, test } from 'vitest'
import { type CorpusCase, corpus, parserOf } from './support/corpus.ts'
import { read } from './support/read.ts'

/** What tutorials find code with, each with the corpus cases that it is shown by. */
const patterns: Readonly<Record<string, { readonly pattern: RegExp; readonly cases: readonly string[] }>> = {
  xml: {
    pattern: /<execute>(.*?)<\/execute>/gs,
    cases: [
      'on-one-line',
      'tag-in-string',
      'tag-in-comment',
      'language-attribute',
      'attributes-on-lines',
      'fence-in-tag',
      'unclosed-block',
      'stop-sequence',
      'unfinished-closing-at-end',
      'tag-in-code-span',
      'tag-in-text-fence',
      'think',
      'string-ends-too-late',
      'empty',
    ],
  },
  fenced: {
    pattern: /```python\s*(.*?)```/gs,
    cases: [
      'text-behind',
      'string-with-fence',
      'not-closed-in-line',
      'tildes',
      'closed-by-longer',
      'tag-py',
      'capital-tag',
      'tag-sh',
      'in-list-item',
      'indented-first-line',
      'block-quote',
      'text-with-fence-inside',
      'tag-in-fence',
      'unclosed-block',
      'empty-block',
      'think',
    ],
  },
}

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test.each(Object.keys(patterns))('the table of the README is what comes out: %s', (parser) => {
  const [, table = ''] = new RegExp(`<!-- ${parser} -->\\n([^]*?)<!-- end -->`).exec(readme) ?? []
  expect(cellsOf(table)).toEqual(cellsOf(tableFor(parser)))
})

/** What a table says, however its columns are laid out. */
function cellsOf(table: string): string {
  const rows = table
    .trim()
    .split('\n')
    .filter((row) => !row.startsWith('| --'))
  return rows
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .join(' | ')
        .trim(),
    )
    .join('\n')
}

function tableFor(parser: string): string {
  const { pattern, cases } = patterns[parser]!
  const rows = cases.map((name) => {
    const one = corpus.find(({ id }) => id === `${parser}/${name}`)!
    const matches = [...one.input.matchAll(pattern)].map(([, code = '']) => code)
    return `| ${span(one.input)} | ${matches.map((code) => (code.trim() === '' ? 'an empty string' : span(code))).join(', ') || 'nothing'} | ${ours(one)} |`
  })
  return [`| reply | ${span(pattern.source)} | \`${parser}()\` |`, '| --- | --- | --- |', ...rows].join('\n')
}

function ours(one: CorpusCase): string {
  const { actions } = read(parserOf(one), [one.input], one.finish)
  return actions.map(shown).join(', ') || 'nothing'
}

function shown(action: Action): string {
  if (action.type !== 'code') return 'says that it is empty'
  const { language, code, closed } = action
  return `${span(code)}${language === 'python' ? '' : ` (${language})`}${closed ? '' : ' (not closed)'}`
}

/** Text as code in a table, with `⏎` for line ends, `⇥` for tabs, and `·` for blanks at its ends. */
function span(text: string): string {
  const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat([1, 2, 3, 4, 5].find((length) => !runs.has(length)) ?? 6)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  const shown = text.replace(/^ +| +$/g, (blanks) => '·'.repeat(blanks.length))
  return `${ticks}${pad}${shown.replaceAll('\n', '⏎').replaceAll('\t', '⇥').replaceAll('|', '\\|')}${pad}${ticks}`
}
