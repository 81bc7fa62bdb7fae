import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type FaultCase, lines } from '../faults/fault.ts'

/** Every place where a process of Linux can look for what is not its own. */
const SEARCH = lines(
  'import glob, os, subprocess',
  'found = [repr(dict(os.environ)), subprocess.run(["env"], capture_output=True, text=True).stdout]',
  'for pattern in ("environ", "cmdline", "maps", "mountinfo", "fd/*", "cwd/*", "root/*", "task/*/environ"):',
  '    for path in glob.glob("/proc/[0-9]*/" + pattern) + glob.glob("/proc/self/" + pattern):',
  '        try:',
  '            if os.path.isfile(path): found.append(open(path, errors="replace").read(200_000))',
  '        except OSError: pass',
  'for path in ("~/.ssh", "~/.aws", "~/.npmrc", "~/.docker", "/root", "/home", "/etc/shadow", "/run/secrets", ".env", "../.env"):',
  '    path = os.path.expanduser(path)',
  '    try: found.append(repr(os.listdir(path)) if os.path.isdir(path) else open(path).read())',
  '    except OSError: pass',
  'text = "\\n".join(found)',
  'for at in range(0, len(text), 50_000): print(text[at:at + 50_000][:20_000])',
)

/** What the host knows, and the code must not. Whatever comes out is searched for the bait as well. */
export const SECRETS: readonly FaultCase[] = [
  {
    promise: 'isolation',
    title: 'the environment, the command lines, the memory maps and the usual files hold nothing of the host',
    async run(trial) {
      const { stdout } = await trial.execute(SEARCH)
      expect(stdout.length).toBeGreaterThan(100)
      expect(stdout).not.toMatch(/vitest|API_KEY|BEGIN [A-Z ]*PRIVATE KEY|:\$[0-9a-z]+\$/)
    },
  },
  {
    promise: 'isolation',
    title: 'a file of the host is found under no name',
    async run(trial) {
      const folder = await mkdtemp(join(homedir(), '.codeact-test-'))
      try {
        await writeFile(join(folder, 'secret'), trial.bait.secret)
        const path = JSON.stringify(join(folder, 'secret'))
        const code = lines(
          'import os',
          `paths = [root + ${path} for root in ("", "/proc/1/root", "/proc/self/root", "/proc/1/cwd/../../../../..", "/../../..")]`,
          '[path for path in paths if os.path.exists(path)]',
        )
        expect(await trial.evaluate(code)).toBe('[]')
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  },
  {
    promise: 'isolation',
    title: 'the working directory is neither that of the host nor below it',
    async run(trial) {
      expect(await trial.evaluate('import os\nos.getcwd()')).not.toContain(process.cwd())
      expect(await trial.evaluate('sorted(os.listdir("."))')).toBe('[]')
      expect(await trial.evaluate('sorted(os.listdir("..")) == sorted(os.listdir("/"))')).toMatch(/^(True|False)$/)
    },
  },
  {
    promise: 'isolation',
    title: 'no descriptor leads to a file or a socket of the host',
    async run(trial) {
      const code = lines(
        'import os',
        'links = []',
        'for n in os.listdir("/proc/self/fd"):',
        '    try: links.append(os.readlink("/proc/self/fd/" + n).split(":")[0])',
        '    except OSError: pass',
        'sorted(set(links) - {"/dev/null", "socket", "pipe", "anon_inode"})',
      )
      expect(await trial.evaluate(code)).toBe('[]')
    },
  },
  {
    promise: 'isolation',
    title: 'two sandboxes share no folder, no memory and no name',
    async run(trial) {
      const other = await trial.open()
      expect(other.id).not.toBe(trial.sandbox.id)
      const write = lines(
        'import os',
        'for folder in (".", "/tmp", "/dev/shm", "/var/tmp", "/run"):',
        '    try: open(os.path.join(folder, "left-for-the-other"), "w").write("x")',
        '    except OSError: pass',
        'os.path.exists("left-for-the-other")',
      )
      expect(await trial.evaluate(write)).toBe('True')
      const look =
        'import os\n[f for f in (".", "/tmp", "/dev/shm", "/var/tmp", "/run") if os.path.exists(f + "/left-for-the-other")]'
      expect((await other.execute(look)).value?.['text/plain']).toBe('[]')
    },
  },
]
