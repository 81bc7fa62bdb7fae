import type { Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'
import { bareTool } from './tools.ts'

const LINES = 'one\ntwo\nthree\nfour\n'

/** A session with something of everything: values, an open file, a folder, links, a thread, a tool's answer. */
const RICH = [
  'import os, threading, time, random',
  'os.makedirs("data/deep")',
  `open("data/lines", "w").write(${JSON.stringify(LINES)})`,
  'os.symlink("data/lines", "near"), os.symlink(os.path.abspath("data"), "far"), os.mkfifo("pipe")',
  'file = open("data/lines")',
  'first = file.readline()',
  'box = {"values": [1]}',
  'random.seed(7)',
  'threading.Thread(target=lambda: time.sleep(600), daemon=True).start()',
].join('\n')

export function forkCases(subject: Subject): void {
  subject.promise('timeout', (it) => {
    it(
      'forks: a twin has all variables and files, and nothing that either does is seen by the other',
      async (sandbox) => {
        expect((await sandbox.execute(RICH)).error).toBeUndefined()
        const twin = await fork(sandbox)
        expect(twin.id).not.toBe(sandbox.id)
        const both = [
          [twin, 2],
          [sandbox, 3],
        ] as const
        for (const [box, n] of both)
          await box.execute(`box["values"].append(${n})\nwith open("data/own", "w") as own: own.write("${n}")`)
        for (const [box, n] of both) {
          expect(await evaluate(box, 'box["values"], file.readline(), file.tell()')).toBe(`([1, ${n}], 'two\\n', 8)`)
          expect(await box.files.readText('data/own')).toBe(String(n))
          expect(await evaluate(box, 'open("far/own").read() + open("near").readline()')).toBe(`'${n}one\\n'`)
        }
        const draws = [twin, sandbox].map((box) => evaluate(box, 'random.random()'))
        const [one, other] = await Promise.all(draws)
        expect(one).toBe(other)
      },
      'state',
    )

    it(
      'forks: a twin works where its own folder is, also below it, and its children with it',
      async (sandbox) => {
        await sandbox.execute('import os, subprocess\nos.mkdir("sub"); os.chdir("sub"); open("here", "w").close()')
        const twin = await fork(sandbox)
        const where = 'os.path.basename(os.getcwd()), os.listdir(), os.path.exists("../sub/here")'
        expect(await evaluate(twin, where)).toBe("('sub', ['here'], True)")
        const [mine, its] = await Promise.all([sandbox, twin].map((box) => evaluate(box, 'os.getcwd()')))
        expect(mine).not.toBe(its)
        expect(await evaluate(twin, 'subprocess.run(["pwd"], capture_output=True, text=True).stdout.strip()')).toBe(its)
        await twin.files.write('sub/given', 'x')
        expect(await evaluate(twin, 'sorted(os.listdir())')).toBe("['given', 'here']")
        expect(await evaluate(sandbox, 'os.listdir()')).toBe("['here']")
      },
      'state',
    )

    it(
      'forks: a twin has checkpoints of its own, and what ends a cell of one ends nothing of the other',
      async (sandbox) => {
        await sandbox.execute('import os, subprocess\nx = 41\nchild = subprocess.Popen(["sleep", "600"])')
        const twin = await fork(sandbox)
        await twin.execute('mine = subprocess.Popen(["sleep", "600"])')
        const before = (await twin.checkpoint?.()) ?? ''
        await twin.execute('x = 42')
        const running = sandbox.execute('import time\ntime.sleep(0.5)\nx')
        expect(await twin.execute('x = 0\nos._exit(1)')).toMatchObject({ status: 'crashed', state: 'rolled-back' })
        expect(await evaluate(twin, 'x')).toBe('42')
        expect((await twin.restore?.(before))?.restored).toContain('x')
        expect(await evaluate(twin, 'x')).toBe('41')
        expect((await running).value?.['text/plain']).toBe('41')
        expect(await evaluate(sandbox, 'child.poll() is None')).toBe('True')
        await twin.execute('mine = subprocess.Popen(["sleep", "600"])')
        expect(await sandbox.execute('os._exit(1)')).toMatchObject({ state: 'rolled-back' })
        expect(await evaluate(twin, 'x, mine.poll()')).toBe('(41, None)')
      },
      'state',
    )

    it(
      'forks: a twin outlives the sandbox that it comes from, and has twins itself',
      async (sandbox) => {
        await sandbox.execute('x = [1]')
        const twin = await fork(sandbox)
        await twin.execute('x.append(2)')
        const third = await fork(twin)
        await sandbox.close()
        await third.execute('x.append(3)')
        expect(await evaluate(twin, 'x')).toBe('[1, 2]')
        await twin.close()
        expect(await evaluate(third, 'x')).toBe('[1, 2, 3]')
        await expect(twin.execute('x')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' })
      },
      'state',
    )

    it(
      'forks: a twin goes on where its parent has lost all, and calls the same tools',
      async () => {
        const double = bareTool('double', { n: { type: 'integer' } }, async ({ n }) => Number(n) * 2)
        const sandbox = await subject.open({ checkpoint: { upTo: '48m' } }, { tools: [double] })
        await sandbox.execute('import os\nx = 21')
        const twin = await fork(sandbox)
        await sandbox.execute('held = b"x" * 2 ** 26')
        expect((await sandbox.execute('os._exit(1)')).state).toBe('lost')
        expect(await evaluate(twin, 'double(n=x)')).toBe('42')
        expect(await evaluate(sandbox, 'double(n=4)')).toBe('8')
        await sandbox.close()
        expect(await evaluate(twin, 'double(n=x)')).toBe('42')
      },
      'state',
    )

    it(
      'forks: is refused where nothing could be copied',
      async () => {
        const sandbox = await subject.open({ checkpoint: false })
        await expect(fork(sandbox)).rejects.toMatchObject({ code: 'FORK_UNSUPPORTED' })
        expect(await evaluate(sandbox, '1 + 1')).toBe('2')
        const small = await subject.open({ checkpoint: { upTo: '48m' } })
        await small.execute('held = b"x" * 2 ** 26')
        await expect(fork(small)).rejects.toMatchObject({ code: 'FORK_FAILED' })
        expect(await evaluate(small, 'len(held)')).toBe(String(2 ** 26))
      },
      'state',
    )
  })
}

async function fork(sandbox: Sandbox): Promise<Sandbox> {
  if (sandbox.fork === undefined) throw new Error('this sandbox has no fork()')
  return sandbox.fork()
}
