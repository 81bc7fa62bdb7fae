import { describeExecutor, onRequest, requirement } from '@codeact/testing'
import { supervised } from './supervised-executor.ts'

const bubblewrap = await requirement('bubblewrap', async () => {
  await using sandbox = await supervised().open()
  await sandbox.execute('1')
})

// Whoever has Docker has it tried there.
describeExecutor({
  name: 'a supervised sandbox',
  create: supervised,
  gate: bubblewrap.isMet ? onRequest('slow') : bubblewrap,
})
