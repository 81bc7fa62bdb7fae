import type { Executor, Sandbox } from '@codeact/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withImage } from './leftovers.ts'
import { docker } from './requirements.ts'

const LIBC = 'import ctypes, errno, os\nlibc = ctypes.CDLL(None, use_errno=True)\n'

/** By what is tried: an expression that is true where it worked. System calls by their numbers, x86-64's and ARM64's. */
const TRIES: Readonly<Record<string, string>> = {
  'a user namespace': 'libc.unshare(0x10000000) == 0',
  'a mount namespace': 'libc.unshare(0x00020000) == 0',
  'a mount': 'libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0',
  'the core pattern': 'writes("/proc/sys/kernel/core_pattern", "|/tmp/x")',
  'the release agent of a control group':
    'any(writes(os.path.join(at, name), "/tmp/x") for at, _, names in os.walk("/sys/fs/cgroup") for name in names if name == "release_agent")',
  'the own control group':
    'any(writes(p, "0") for p in ("/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs"))',
  'the kernel’s keys': 'call(x86=250, arm=219, args=(0, -3, 0)) >= 0',
  'the kernel’s log':
    'os.path.exists("/dev/kmsg") or call(x86=103, arm=116, args=(3, ctypes.create_string_buffer(64), 64)) >= 0',
  io_uring: 'call(x86=425, arm=425, args=(8, ctypes.create_string_buffer(120))) >= 0',
  userfaultfd: 'call(x86=323, arm=282, args=(0,)) >= 0',
  bpf: 'call(x86=321, arm=280, args=(0, ctypes.create_string_buffer(128), 128)) >= 0',
  'a raw socket': 'sockets("AF_INET", "SOCK_RAW", 1)',
  'a packet socket': 'sockets("AF_PACKET", "SOCK_RAW", 3)',
  'a device': 'devices()',
  'root by number': 'tries(lambda: os.setuid(0))',
  'the debugging of its init': 'libc.ptrace(16, 1, 0, 0) == 0',
  'the debugging of its supervisor': 'libc.ptrace(16, os.getppid(), 0, 0) == 0',
  'a set-user-id program': 'set_user_id()',
  'a program in the working directory': 'runs("/workspace/x")',
  'a program in /tmp': 'runs("/tmp/x")',
}

const HELPERS = `
import platform, socket, stat, subprocess
def tries(work):
    try: work()
    except OSError: return False
    return True
def writes(path, text): return tries(lambda: open(path, "w").write(text))
def call(x86, arm, args): return libc.syscall(x86 if platform.machine() == "x86_64" else arm, *args)
def sockets(family, kind, protocol): return tries(lambda: socket.socket(getattr(socket, family), getattr(socket, kind), protocol))
def devices():
    return tries(lambda: os.mknod("/tmp/null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))) or os.path.exists("/dev/sda")
def set_user_id():
    paths = [os.path.join(at, name) for folder in ("/usr/bin", "/bin") for at, _, names in os.walk(folder) for name in names]
    found = [path for path in paths if os.path.isfile(path) and os.stat(path).st_mode & stat.S_ISUID]
    status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    return status["NoNewPrivs"].strip() != "1" and bool(found)
def runs(path):
    with open(path, "w") as file: file.write("#!/bin/sh\\n")
    os.chmod(path, 0o755)
    return tries(lambda: subprocess.run([path], check=True))
`

describe.skipIf(!docker.isMet)(`the walls of a container${docker.reason && ` (skipped: ${docker.reason})`}`, () => {
  let executor: Executor
  let sandbox: Sandbox
  beforeAll(async () => {
    executor = withImage()()
    sandbox = await executor.open()
    await sandbox.execute(LIBC + HELPERS)
  })
  afterAll(() => executor.close())

  it.each(Object.entries(TRIES))('hold against %s', async (_, code) => {
    const { value, error } = await sandbox.execute(code)
    expect([value?.['text/plain'], error]).toEqual(['False', undefined])
  })
})
