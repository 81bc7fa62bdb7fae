import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

export function isolationCases(subject: Subject): void {
  subject.promise('isolation', (it) => {
    it('hides the environment of the host', async () => {
      process.env.CODEACT_TEST_SENTINEL = 'sentinel-of-the-host'
      try {
        const sandbox = await subject.open()
        expect(await evaluate(sandbox, 'import os\n"sentinel-of-the-host" in repr(dict(os.environ))')).toBe('False')
      } finally {
        delete process.env.CODEACT_TEST_SENTINEL
      }
    })

    it('hides the files of the host', async (sandbox) => {
      const folder = await mkdtemp(join(homedir(), '.codeact-test-'))
      try {
        await writeFile(join(folder, 'secret'), 'sentinel')
        const { error } = await sandbox.execute(`open(${JSON.stringify(join(folder, 'secret'))}).read()`)
        expect(error?.name).toMatch(/^(FileNotFoundError|PermissionError)$/)
      } finally {
        await rm(folder, { recursive: true })
      }
    })

    it('reaches no server of the host', async (sandbox) => {
      let connections = 0
      const server = createServer(() => connections++)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const { status } = await sandbox.execute(
        `import socket\nsocket.create_connection(("127.0.0.1", ${port}), 2).send(b"x")`,
      )
      server.close()
      expect(status).toBe('error')
      expect(connections).toBe(0)
    })

    it('does not see the processes of the host', async (sandbox) => {
      const code = [
        'import os',
        'found = []',
        'for name in os.listdir("/proc") if os.path.isdir("/proc") else []:',
        '    if name.isdigit():',
        '        try: found.append(open(f"/proc/{name}/cmdline").read())',
        '        except OSError: pass',
        'any("vitest" in line for line in found)',
      ]
      expect(await evaluate(sandbox, code.join('\n'))).toBe('False')
    })
  })
}
