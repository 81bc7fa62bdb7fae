import { describeExecutor, requirement } from '@codeact/testing'
import { supervised } from './supervised-executor.ts'

const bubblewrap = await requirement('bubblewrap', async () => {
  await using sandbox = await supervised().open()
  await sandbox.execute('1')
})

describeExecutor({ name: 'a supervised sandbox', create: supervised, gate: bubblewrap })
