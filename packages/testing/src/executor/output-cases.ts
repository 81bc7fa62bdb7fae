import { expect } from 'vitest'
import { type Subject, stdoutOf } from './subject.ts'

export function outputCases(subject: Subject): void {
  subject.promiseInOneSession('output', (it) => {
    it('tells stdout and stderr apart', async (sandbox) => {
      const execution = await sandbox.execute('import sys\nprint("out")\nprint("err", file=sys.stderr)')
      expect(execution).toMatchObject({ stdout: 'out\n', stderr: 'err\n' })
    })

    it('streams what is printed while the cell runs', async (sandbox) => {
      const seen: string[] = []
      for await (const event of sandbox.execute('import time\nprint("first")\ntime.sleep(0.3)\nprint("second")')) {
        if (event.type === 'stdout-delta') seen.push(event.text)
      }
      expect(seen.length).toBeGreaterThan(1)
      expect(seen.join('')).toBe('first\nsecond\n')
    })

    it(
      'keeps raw bytes as replacement characters',
      async (sandbox) => {
        expect(await stdoutOf(sandbox, 'import os\n_ = os.write(1, b"a\\xff\\xfeb\\n")')).toBe('a\ufffd\ufffdb\n')
      },
      'bytes',
    )

    it(
      'puts a character together that was written in two parts',
      async (sandbox) => {
        const code = 'import os, time\n_ = os.write(1, b"\\xe2\\x82")\ntime.sleep(0.05)\n_ = os.write(1, b"\\xac\\n")'
        expect(await stdoutOf(sandbox, code)).toBe('€\n')
      },
      'bytes',
    )

    it(
      'prints lone surrogates without harm',
      async (sandbox) => {
        expect(await stdoutOf(sandbox, 'print("a\\ud800b")')).toMatch(/^a.*b\n$/)
      },
      'surrogates',
    )

    it('belongs to the cell that printed it, to the last byte', async (sandbox) => {
      for (let n = 1; n <= 20; n++) {
        expect(await stdoutOf(sandbox, `print("x" * ${n * 1000}, end="${n}")`)).toBe('x'.repeat(n * 1000) + n)
      }
    })

    it(
      'includes what child processes print, in order',
      async (sandbox) => {
        const code =
          'import subprocess, sys\nprint("a")\nsubprocess.run([sys.executable, "-c", "print(\'b\')"])\nprint("c")'
        expect(await stdoutOf(sandbox, code)).toBe('a\nb\nc\n')
      },
      'child-processes',
    )

    it('keeps head and tail of a flood, and says how much is missing', async () => {
      const sandbox = await subject.open({ limits: { output: 1000 } })
      const execution = await sandbox.execute('print("begin")\nprint("x" * 100_000)\nprint("end")')
      expect(execution.stdout).toMatch(/^begin\nx+/)
      expect(execution.stdout).toMatch(/x\nend\n$/)
      expect(execution.stdout.length).toBeLessThan(1100)
      expect(execution.truncated).toEqual({ stdout: 'begin\n'.length + 100_001 + 'end\n'.length - 1000 })
    })

    it('undoes what a cell did to the standard streams', async (sandbox) => {
      await sandbox.execute('import sys\nsys.stdout = None')
      expect(await stdoutOf(sandbox, 'print("still here")')).toBe('still here\n')
    })
  })
}
