import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type FaultCase, lines } from '../faults/fault.ts'

const HIJACK = 'raise SystemExit("hijacked")\n'
const MODULES = ['sitecustomize', 'usercustomize', 'conftest', 'json', 'os', 'threading', 'values', 'kernel', 'ctypes']

/** Set on the host; none of them may have a say in the sandbox. */
function hostVariables(folder: string): Record<string, string> {
  return {
    PYTHONPATH: folder,
    PYTHONSTARTUP: join(folder, 'json.py'),
    PYTHONINSPECT: '1',
    BASH_ENV: join(folder, 'json.py'),
    ENV: join(folder, 'json.py'),
    http_proxy: 'http://proxy.invalid',
  }
}

/** Whoever writes files or sets variables must not get into the next start of the kernel. */
export const START: readonly FaultCase[] = [
  {
    promise: 'isolation',
    title: 'files in the working directory do not hijack the next kernel',
    async run(trial) {
      for (const name of MODULES) await trial.sandbox.files.write(`${name}.py`, HIJACK)
      await trial.sandbox.files.write('.pythonrc', HIJACK)
      await trial.sandbox.files.write('pyvenv.cfg', 'home = /workspace\n')
      expect((await trial.execute('import os\nos._exit(1)')).status).toBe('crashed')
      expect(await trial.evaluate('1 + 1')).toBe('2')
      expect(await trial.evaluate('import json, threading\njson.dumps([1])')).toBe("'[1]'")
    },
  },
  {
    promise: 'isolation',
    title: 'files in the home folder and in /tmp do not, either',
    async run(trial) {
      const code = lines(
        'import os, sys',
        'version = "python%d.%d" % sys.version_info[:2]',
        'for folder in (os.path.expanduser("~/.local/lib/%s/site-packages" % version), "/tmp"):',
        '    os.makedirs(folder, exist_ok=True)',
        '    for name in ("usercustomize.py", "sitecustomize.py", "json.py"):',
        `        open(os.path.join(folder, name), "w").write(${JSON.stringify(HIJACK)})`,
        '    open(os.path.join(folder, "x.pth"), "w").write("import os; os._exit(66)\\n")',
        'os._exit(1)',
      )
      expect((await trial.execute(code)).status).toBe('crashed')
      expect(await trial.evaluate('import json\njson.dumps([1])')).toBe("'[1]'")
    },
  },
  {
    promise: 'isolation',
    title: 'variables of the host have no say',
    async run(trial) {
      const folder = await mkdtemp(join(tmpdir(), 'codeact-test-'))
      const variables = hostVariables(folder)
      const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
      try {
        for (const name of MODULES) await writeFile(join(folder, `${name}.py`), HIJACK)
        Object.assign(process.env, variables)
        const sandbox = await trial.open()
        const code = `import json, os\njson.dumps(sorted(set(${JSON.stringify(Object.keys(variables))}) & set(os.environ)))`
        expect((await sandbox.execute(code)).value?.['text/plain']).toBe("'[]'")
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
        await rm(folder, { recursive: true })
      }
    },
  },
]
