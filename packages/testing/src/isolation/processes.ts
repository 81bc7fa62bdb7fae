import { expect } from 'vitest'
import { type FaultCase, lines } from '../faults/fault.ts'

/** `take(pid)`: what `pidfd_getfd` and `/proc/<pid>/fd` give of another process: the descriptors that can be written to. */
const TAKE = lines(
  'import ctypes, os',
  'libc = ctypes.CDLL(None, use_errno=True)',
  'def take(pid):',
  '    taken = []',
  '    pidfd = libc.syscall(434, pid, 0)',
  '    for n in range(3, 300):',
  '        got = libc.syscall(438, pidfd, n, 0) if pidfd >= 0 else -1',
  '        if got >= 0:',
  '            link = os.readlink("/proc/self/fd/%d" % got)',
  '            if not link.startswith("anon_inode"): taken.append((n, link))',
  '            os.close(got)',
  '        try: os.close(os.open("/proc/%d/fd/%d" % (pid, n), os.O_WRONLY)); taken.append((n, "opened"))',
  '        except OSError: pass',
  '    return taken',
)

/** Other processes, and what the code's own may become. */
export const PROCESSES: readonly FaultCase[] = [
  {
    promise: 'isolation',
    title: 'no process but those of the sandbox can be seen',
    async run(trial) {
      const code = 'import os\nlen([n for n in os.listdir("/proc") if n.isdigit()]) if os.path.isdir("/proc") else 0'
      expect(Number(await trial.evaluate(code))).toBeLessThan(10)
    },
  },
  {
    promise: 'isolation',
    title: "the kernel's channel cannot be taken from the processes around it",
    async run(trial) {
      const code = `${TAKE}\n[found for pid in {1, os.getppid()} if pid != os.getpid() for found in take(pid)]`
      expect(await trial.evaluate(code)).toBe('[]')
    },
  },
  {
    promise: 'isolation',
    title: 'the memory of the processes around it holds no secret of the host',
    async run(trial) {
      // The code must not hold the secret itself, or it would find its own.
      const codes = [...trial.bait.secret].map((character) => character.charCodeAt(0)).join(', ')
      const code = lines(
        'import os',
        `def find(data): return bytes([${codes}]) in data`,
        'found = []',
        'for pid in {1, os.getppid()} - {0, os.getpid()}:',
        '    try:',
        '        memory = open("/proc/%d/mem" % pid, "rb")',
        '        ranges = [line.split()[0].split("-") for line in open("/proc/%d/maps" % pid) if " r" in line]',
        '    except OSError: continue',
        '    for start, end in ranges:',
        '        try:',
        '            memory.seek(int(start, 16))',
        '            found.append(find(memory.read(int(end, 16) - int(start, 16))))',
        '        except (OSError, ValueError, OverflowError): pass',
        'any(found)',
      )
      expect(await trial.evaluate(code)).toBe('False')
    },
  },
  {
    promise: 'isolation.privileges',
    title: 'the code has no capabilities, and gains none',
    async run(trial) {
      const code = lines(
        'import ctypes, os, subprocess',
        'libc = ctypes.CDLL(None, use_errno=True)',
        'def status(): return dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)',
        'def powers(): return [status()[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]',
        'before = powers()',
        'tries = [libc.unshare(flag) for flag in (0x10000000, 0x10020000, 0x20000000, 0x40000000)]',
        'for call in (os.setuid, os.setgid):',
        '    try: call(0); tries.append("became root")',
        '    except OSError: tries.append(-1)',
        'tries.append(-1 if subprocess.run(["sh", "-c", "mount -t tmpfs none /tmp"], capture_output=True).returncode else 0)',
        'before, powers(), sorted(set(tries)), status().get("NoNewPrivs"), os.geteuid() != 0',
      )
      expect(await trial.evaluate(code)).toBe("(['', '', '', '', ''], ['', '', '', '', ''], [-1], '1', True)")
    },
  },
  {
    promise: 'isolation',
    title: 'signals reach nobody outside',
    mayLoseState: true,
    async run(trial) {
      // Where it sees more processes than are its own, it must not kill them to prove it.
      const code = lines(
        'import os, signal',
        'own = len([n for n in os.listdir("/proc") if n.isdigit()]) < 10',
        'if not own: raise SystemExit("the processes of the host are in reach")',
        `for pid in (os.getppid(), ${process.pid}):`,
        '    try: os.kill(pid, signal.SIGTERM)',
        '    except OSError: pass',
        'try: os.kill(-1, signal.SIGKILL)',
        'except OSError: pass',
        '"alive"',
      )
      const { status, error, value } = await trial.execute(code)
      expect(error?.name).not.toBe('SystemExit')
      if (status !== 'crashed') expect(value?.['text/plain']).toBe("'alive'")
    },
  },
  {
    promise: 'isolation',
    title: 'the system cannot be changed',
    async run(trial) {
      const code = lines(
        'import os',
        'paths = ("/usr/x", "/bin/x", "/etc/passwd", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/x", "/dev/mem", "/dev/sda", "/dev/kmsg")',
        'written = []',
        'for path in paths:',
        '    try: open(path, "r+" if os.path.exists(path) else "w").close(); written.append(path)',
        '    except OSError: pass',
        'written',
      )
      expect(await trial.evaluate(code)).toBe('[]')
    },
  },
]
