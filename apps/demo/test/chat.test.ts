import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsOf, runCli } from './cli.ts'
import { code, reply, saw, task, writeRecording } from './recording-file.ts'
import { bubblewrap } from './requirements.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const executor = bubblewrap.isMet ? 'local' : 'wasm'

writeRecording(
  join(folder, 'session.jsonl'),
  task('Remember 20.'),
  code('n = 20'),
  saw('(code executed successfully, no output)'),
  reply('I have it.'),
  task('Add 1 to it.'),
  code('n + 1'),
  saw('21'),
  reply('That is 21.'),
)
const flags = ['chat', '--model', 'replay:session.jsonl', '--executor', executor]

describe('codeact chat', () => {
  test('takes each line of stdin as a task of one session, whose variables stay', async () => {
    const end = await runCli(flags, { cwd: folder, stdin: 'Remember 20.\n\n  Add 1 to it.  ' })
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.stdout).toContain('  › Remember 20.\n\n  │ n = 20\n\n  (no output)\n\n  I have it.\n')
    expect(end.stdout).toContain('  › Add 1 to it.\n\n  │ n + 1\n\n  = 21\n\n  That is 21.\n')
  })

  test('ends at /exit', async () => {
    const end = await runCli(flags, { cwd: folder, stdin: 'Remember 20.\n/exit\nAdd 1 to it.\n' })
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('I have it.')
    expect(end.stdout).not.toContain('Add 1 to it.')
  })

  test('--json prints the events of each task', async () => {
    const end = await runCli([...flags, '--json'], { cwd: folder, stdin: 'Remember 20.\nAdd 1 to it.\n' })
    const ends = eventsOf(end).flatMap((event) => (event.type === 'run-end' ? [event.answer] : []))
    expect(ends).toEqual(['I have it.', 'That is 21.'])
  })

  test('goes on after a failure, and exits with 1', async () => {
    const end = await runCli(flags, { cwd: folder, stdin: 'Remember 21.\nRemember 20.\n' })
    expect(end.code).toBe(1)
    expect(end.stderr.match(/is of another task/g)?.length).toBe(2)
  })

  test('without tasks is over', async () => {
    expect(await runCli(flags, { cwd: folder, stdin: '' })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  test('without a model says how to get one', async () => {
    const end = await runCli(['chat'], { cwd: folder, stdin: 'Hello?\n' })
    expect(end.code).toBe(2)
    expect(end.stderr).toContain('OPENAI_API_KEY')
  })
})
