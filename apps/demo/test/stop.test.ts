import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsOf, said, startCli } from './cli.ts'
import { descendants, hasProc, survivors } from './processes.ts'
import { code, task, writeRecording } from './recording-file.ts'
import { bubblewrap } from './requirements.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
writeRecording(
  join(folder, 'sleep.jsonl'),
  task('Sleep.'),
  code('import time\nprint("good" + " night", flush=True)\ntime.sleep(600)'),
)
writeRecording(
  join(folder, 'flood.jsonl'),
  task('Flood.'),
  code('for n in range(10**9):\n    print("a line", "of output", n)'),
)

const executors = [
  { executor: 'wasm', isMet: true, reason: '' },
  { executor: 'local', isMet: bubblewrap.isMet, reason: bubblewrap.reason },
]

describe.each(executors)('in $executor $reason', ({ executor, isMet }) => {
  const start = (file: string, ...flags: string[]) =>
    startCli(
      [file === 'sleep' ? 'Sleep.' : 'Flood.', '--model', `replay:${file}.jsonl`, '--executor', executor, ...flags],
      {
        cwd: folder,
      },
    )

  test.skipIf(!isMet).each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a run in order', async (signal, exitCode) => {
    const cli = start('sleep', '--json')
    await said(cli, 'good night')
    const below = hasProc ? descendants(cli.pid ?? 0) : []
    cli.kill(signal)
    const end = await cli.finished
    expect(end.code).toBe(exitCode)
    expect(eventsOf(end).at(-1)).toMatchObject({ type: 'run-end', stop: 'aborted' })
    expect(await survivors(below)).toEqual([])
  })

  test.skipIf(!isMet)('what there was is shown', async () => {
    const cli = start('sleep')
    await said(cli, 'good night')
    cli.kill('SIGINT')
    const end = await cli.finished
    expect(end.code).toBe(130)
    expect(end.stdout).toContain('  > good night\n')
    expect(end.stdout).toMatch(/ {2}stopped {2}1 step\n$/)
    expect(end.stderr).toBe('')
  })

  test.skipIf(!isMet)('recorded tasks end with what there is', async () => {
    const cli = startCli(['tasks', '--executor', executor], { cwd: folder })
    await said(cli, '✓ 55')
    cli.kill('SIGINT')
    const end = await cli.finished
    expect(end.code).toBe(130)
    expect(end.stdout).toMatch(/\n {2}sum of 1 to 10 +55 +55 .*✓\n/)
    expect(end.stdout).toMatch(/tasks? as expected.*\n$/)
    expect(end.stdout).not.toContain('numpy')
  })

  test.skipIf(!isMet)('a second signal ends it at once', async () => {
    const cli = start('sleep')
    await said(cli, 'good night')
    const below = hasProc ? descendants(cli.pid ?? 0) : []
    cli.kill('SIGINT')
    cli.kill('SIGTERM')
    const end = await cli.finished
    expect([130, 143]).toContain(end.code)
    expect(await survivors(below)).toEqual([])
  })

  test.skipIf(!isMet || !hasProc)('SIGKILL leaves no process behind', async () => {
    const cli = start('sleep')
    await said(cli, 'good night')
    const below = descendants(cli.pid ?? 0)
    expect(below.length).toBeGreaterThan(0)
    cli.kill('SIGKILL')
    expect((await cli.finished).signal).toBe('SIGKILL')
    expect(await survivors(below)).toEqual([])
  })

  test.skipIf(!isMet)('a reader that goes away ends it quietly', async () => {
    const cli = start('flood')
    await said(cli, 'a line of output 10\n')
    const below = hasProc ? descendants(cli.pid ?? 0) : []
    cli.stdout?.destroy()
    const end = await cli.finished
    expect(end.code).toBe(141)
    expect(end.stderr).toBe('')
    expect(await survivors(below)).toEqual([])
  })
})
