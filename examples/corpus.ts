// The corpus of replies that comes with @codeact/parsers, held against a regular expression that many tutorials use.
import { readFile } from 'node:fs/promises'
import { fenced } from '@codeact/parsers'
import { actionsOf } from '@codeact/spec'

const file = new URL('corpus/fenced.jsonl', import.meta.resolve('@codeact/parsers/package.json'))
const cases = (await readFile(file, 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter(({ options }) => options === undefined)

const codes = (actions: readonly object[]): string =>
  JSON.stringify(actions.flatMap((one) => ('code' in one ? one.code : [])))

let [ours, theirs] = [0, 0]
for (const { input, finish, actions } of cases) {
  const reader = fenced().start()
  const found = actionsOf([...reader.feed(input), ...reader.end(finish)])
  if (codes(found) === codes(actions)) ours += 1

  const matches = [...input.matchAll(/```python\s*(.*?)```/gs)].map(([, code]) => ({ code: code.trimEnd() }))
  if (codes(matches) === codes(actions)) theirs += 1
}
console.log('the regular expression misses', theirs < cases.length / 2 ? 'most' : 'some')
console.log('fenced() finds', ours === cases.length ? 'all' : `${ours} of ${cases.length}`)
