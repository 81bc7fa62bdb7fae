import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { eventsOf, type Finished, runCli } from './cli.ts'
import { bubblewrap, docker, image, numpy } from './requirements.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SLOW_MS = 120_000
const folder = temporaryFolder()

/** Where there is bubblewrap, it is the faster one. */
const executor = bubblewrap.isMet ? 'local' : 'wasm'

/** Lines of the table at the end. */
function row({ stdout }: Finished, title: string): string {
  return stdout.split('\n').findLast((line) => line.trim().startsWith(title)) ?? ''
}

describe('codeact tasks', () => {
  test('plays all recordings in wasm, and all agree', { timeout: SLOW_MS }, async () => {
    const end = await runCli(['tasks'], { cwd: folder })
    expect(end.stderr).toBe('')
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('11 of 12 tasks as expected, 1 skipped')
    for (const figures of ['55 ', '16 ', '6765 ', '88 ', '10945 ', '18.00 12.32 ']) {
      expect(end.stdout).toMatch(new RegExp(`  ${figures.trim()} +${figures.trim()} +\\d+ +\\d+\\.\\d s {2}✓\n`))
    }
    expect(row(end, 'numpy squares')).toContain('– skipped')
    expect(end.stdout).toContain('numpy is not there in wasm')
  })

  test('shows the task, what is said, the code, tool calls, output, and the answer, in 80 columns', async () => {
    const { stdout } = await runCli(['tasks', 'from-scratch', 'error-recovery', '--executor', executor], {
      cwd: folder,
    })
    expect(stdout).toContain('  › What do the whole numbers from 1 to 10 add up to? Use the tools.\n')
    expect(stdout).toContain('\n  I let the tool do the adding, one number after the other.\n')
    expect(stdout).toContain('  │ for number in range(1, 11):\n  │     total = add(total, number)\n')
    expect(stdout).toContain('  · add(a=0, b=1) = 1\n')
    expect(stdout).toContain('  … and 7 more calls\n  = 55\n')
    expect(stdout).toContain("    NameError: name 'sqrt' is not defined\n")
    expect(stdout).toContain('  > mean 18.00, deviation 12.32\n')
    expect(stdout).toContain('\n  The whole numbers from 1 to 10 add up to 55.\n\n  ✓ 55  2 steps, ')
    expect(stdout).not.toContain('\u001b')
    expect(stdout.split('\n').filter((line) => [...line].length > 80)).toEqual([])
  })

  test.skipIf(!bubblewrap.isMet)(`in local: ${bubblewrap.reason || 'all agree'}`, { timeout: SLOW_MS }, async () => {
    const end = await runCli(['tasks'], { cwd: folder, env: { CODEACT_EXECUTOR: 'local' } })
    expect(end.code).toBe(0)
    expect(end.stdout).toContain(numpy.isMet ? '12 of 12 tasks' : '11 of 12 tasks as expected, 1 skipped')
    if (!numpy.isMet) expect(end.stdout).toContain('pip install numpy')
  })

  test.skipIf(!docker.isMet)(`in docker: ${docker.reason || 'all agree'}`, { timeout: SLOW_MS }, async () => {
    const end = await runCli(['tasks'], { cwd: folder, env: { CODEACT_EXECUTOR: `docker:${image}` } })
    expect(end.code).toBe(0)
    expect(end.stdout).toMatch(/12 of 12 tasks|11 of 12 tasks as expected, 1 skipped/)
  })

  test.skipIf(!docker.isMet)(`in docker, says what is wrong with an image: ${docker.reason}`, async () => {
    const end = await runCli(['tasks', 'laptops', '--executor', 'docker:codeact-none:none'], { cwd: folder })
    expect(end.code).not.toBe(0)
    expect(end.stderr).toContain('codeact-none:none')
    expect(end.stderr).toMatch(/docker (pull|build|images)/)
  })

  const both = { isMet: bubblewrap.isMet && numpy.isMet, reason: bubblewrap.reason || numpy.reason }
  test.skipIf(!both.isMet)(`finds numpy loaded: ${both.reason || 'in local'}`, async () => {
    const end = await runCli(['tasks', 'numpy', '--executor', 'local'], { cwd: folder })
    expect(end.code).toBe(0)
    expect(row(end, 'numpy squares')).toMatch(/338350 +338350 .*✓$/)
  })

  test.skipIf(process.platform !== 'linux')(
    'without bubblewrap (which is for Linux), local says what to install',
    async () => {
      const end = await runCli(['tasks', '--executor', 'local'], { cwd: folder, env: { PATH: folder } })
      expect(end.code).toBe(1)
      expect(end.stderr).toContain('bubblewrap, which is not installed')
      expect(end.stderr).toContain('apt-get install bubblewrap')
      expect(end.stderr).not.toContain('    at ')
    },
  )

  test('of a name that there is not: suggests the nearest', async () => {
    const end = await runCli(['tasks', 'laptop'], { cwd: folder })
    expect(end.code).toBe(2)
    expect(end.stderr).toContain('Did you mean laptops?')
  })
})

describe('codeact tasks --json', () => {
  test('prints events and nothing else on stdout; the rest is on stderr', { timeout: SLOW_MS }, async () => {
    const end = await runCli(['tasks', '--json', '--executor', executor], { cwd: folder })
    expect(end.code).toBe(0)
    expect(end.stderr).toContain('of 12 tasks as expected')
    const events = eventsOf(end)
    const runs = [...new Set(events.map(({ run }) => run))].map((run) => events.filter((event) => event.run === run))
    expect(runs.length).toBeGreaterThanOrEqual(11)
    for (const stream of runs) checkStream(stream)
    const answers = runs.map((stream) => stream.at(-1) as Extract<CodeActEvent, { type: 'run-end' }>)
    const laptops = JSON.parse(answers.find(({ answer }) => answer.startsWith('{'))?.answer ?? '')
    expect(laptops).toEqual({
      selected: 'Laptop B',
      scores: { 'Laptop A': 9500 / 150, 'Laptop B': 87, 'Laptop C': 560 / 9 },
      reasoning: expect.stringContaining('Laptop B'),
    })
  })

  /** The order that is promised of each stream. */
  function checkStream(stream: readonly CodeActEvent[]): void {
    expect(stream.map(({ v, seq }) => [v, seq])).toEqual(stream.map((_, index) => [1, index]))
    const open = new Map<string, string>()
    for (const { type, id } of stream) {
      if (type.endsWith('-start')) {
        expect(open.has(id)).toBe(false)
        open.set(id, type)
      } else if (type.endsWith('-end')) {
        expect(open.get(id)).toBe(type.replace(/-end$/, '-start'))
        open.delete(id)
      }
    }
    expect([...open]).toEqual([])
    expect([stream[0]?.type, stream.at(-1)?.type]).toEqual(['run-start', 'run-end'])
  }
})

describe('a recording that was changed', () => {
  /** A copy of the command, with its recordings changed. */
  function copyWith(name: string, file: string, from: string, to: string): string {
    const demo = fileURLToPath(new URL('..', import.meta.url))
    const copy = join(folder, name)
    for (const part of ['src', 'recordings', 'package.json'])
      cpSync(join(demo, part), join(copy, part), { recursive: true })
    symlinkSync(join(demo, 'node_modules'), join(copy, 'node_modules'))
    const path = join(copy, 'recordings', file)
    const text = readFileSync(path, 'utf8')
    expect(text.split(from).length).toBe(2) // once, and no more
    writeFileSync(path, text.replace(from, to))
    return join(copy, 'src', 'cli.ts')
  }

  test('in its code: the mismatch is named, and the exit code is 1', async () => {
    const cli = copyWith('code', 'from-scratch.jsonl', 'range(1, 11)', 'range(1, 12)')
    const end = await runCli(['tasks', 'from-scratch', '--executor', executor], { cwd: folder, cli })
    expect(end.code).toBe(1)
    expect(row(end, 'sum of 1 to 10')).toContain('✗ mismatch')
    expect(row(end, '20th Fibonacci')).toContain('– unplayed')
    expect(end.stdout).toMatch(
      /from-scratch\.jsonl does not agree with what really\s+happened,\s+in step 1 of the task/,
    )
    expect(end.stdout).toMatch(/recorded: 55\n +got: {6}66\n/)
    expect(end.stdout).toContain('0 of 4 tasks as expected, 1 mismatch, 3 unplayed')
  })

  test('in code whose output is the answer', async () => {
    const cli = copyWith('answer', 'laptops.jsonl', '(1000, 8700, 10)', '(1000, 8800, 10)')
    const end = await runCli(['tasks', 'laptops', '--executor', executor], { cwd: folder, cli })
    expect(end.code).toBe(1)
    expect(end.stdout).toContain('the answer does not say 87.00')
  })

  test('in a task', async () => {
    const cli = copyWith('task', 'error-recovery.jsonl', '16, 23 and 42?', '16, 23 and 43?')
    const end = await runCli(['tasks', 'error-recovery', '--executor', executor], { cwd: folder, cli })
    expect(end.code).toBe(1)
    expect(end.stdout).toContain('is of another task')
  })

  test('so that it is none: file and line are named, and the exit code is 2', async () => {
    const cli = copyWith('broken', 'error-recovery.jsonl', '{"v":1,"seq":2,', '{"v":1,"seq":2')
    const end = await runCli(['tasks', 'error-recovery', '--executor', executor], { cwd: folder, cli })
    expect(end.code).toBe(2)
    expect(end.stderr).toContain('error-recovery.jsonl:3: this line is not JSON')
  })
})
