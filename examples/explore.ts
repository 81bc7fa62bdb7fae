// Three ways are tried side by side, each in a twin of the sandbox; what they give is measured there, and the best one is kept.
import { Agent, type Attempt, explore } from '@codeact/core'
import { local } from '@codeact/executor-local'
import { xml } from '@codeact/parsers'
import { scripted } from '@codeact/provider-replay'

const ways = [
  'def predict(day):\n    return seen[-1]',
  'first = [b - a for a, b in zip(seen, seen[1:])]\nsecond = first[1] - first[0]\ndef predict(day):\n    return seen[0] + first[0] * day + second * day * (day - 1) // 2',
  'step = seen[-1] - seen[-2]\ndef predict(day):\n    return seen[-1] + step * (day - 3)',
]
const executor = local()
const answer = { type: 'array', items: { type: 'string' } } as const
const agent = new Agent({ model: scripted([JSON.stringify(ways)]), parser: xml(), executor, answer })
const { value: candidates = [] } = await agent.run('Give three ways to define predict(day), from the list seen.')

await using box = await executor.open()
await box.execute('sales = [3, 5, 9, 15, 23, 33]\nseen, later = sales[:4], sales[4:]')

/** The sum of what it is wrong by, on days that it has not seen. */
async function error({ sandbox }: Attempt): Promise<number> {
  const { value } = await sandbox.execute('sum(abs(predict(4 + n) - sold) for n, sold in enumerate(later))')
  return Number(value?.['text/plain'] ?? Infinity)
}

async function judge(attempts: readonly Attempt[]): Promise<number | undefined> {
  const errors = await Promise.all(attempts.map(error))
  console.log('Wrong by:', errors.join(', '))
  const least = Math.min(...errors)
  return least === Infinity ? undefined : errors.indexOf(least)
}

const { winner, sandbox } = await explore(box, candidates, { judge })
const next = await sandbox?.execute('predict(6)')
console.log(`Way ${winner} is the best; it predicts ${next?.value?.['text/plain']}.`)
await sandbox?.close()
await executor.close()
