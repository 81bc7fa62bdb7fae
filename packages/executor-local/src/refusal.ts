import { existsSync, readFileSync } from 'node:fs'
import { CodeActError } from '@codeact/spec'

/** Where a bubblewrap that is refused stands. */
export interface Surroundings {
  /** AppArmor lets only programs with a profile make user namespaces, as on Ubuntu from 24.04 on. */
  readonly hasAppArmor: boolean
  /** A container's own rules forbid what a sandbox inside it needs. */
  readonly isContainer: boolean
}

export const INSTEAD =
  "use wasm(), which needs nothing installed, or type out isolation: 'none' for code that you trust"

/** What bubblewrap said before it ended, where it was bubblewrap that did. */
export function refusedByBubblewrap(lastWords: string): CodeActError | undefined {
  const complaint = /^bwrap: (.*)/m.exec(lastWords)?.[1]
  return complaint === undefined ? undefined : bubblewrapRefused(complaint)
}

/** bubblewrap's own complaint, as an error that says who forbids it and what to do about that. */
export function bubblewrapRefused(complaint: string, around: Surroundings = lookAround()): CodeActError {
  const [who, todo] = cause(around)
  return new CodeActError('EXECUTOR_UNAVAILABLE', `bubblewrap cannot make a sandbox${who}: ${complaint}`, {
    hint: `${todo}, ${INSTEAD}.`,
  })
}

function cause({ hasAppArmor, isContainer }: Surroundings): readonly [who: string, todo: string] {
  if (isContainer) {
    return [
      ', because this container forbids it',
      'Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined',
    ]
  }
  if (hasAppArmor) {
    return [
      ', because AppArmor forbids it',
      'Give it the profile that Ubuntu has for it (sudo apt-get install apparmor-profiles && ' +
        'sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && ' +
        'sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict)',
    ]
  }
  return [
    ' here',
    'Allow user namespaces (sudo sysctl -w user.max_user_namespaces=15000, and where it exists kernel.unprivileged_userns_clone=1)',
  ]
}

function lookAround(): Surroundings {
  return {
    hasAppArmor: textOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1',
    isContainer:
      existsSync('/.dockerenv') ||
      existsSync('/run/.containerenv') ||
      /docker|kubepods|containerd|lxc/.test(textOf('/proc/1/cgroup')),
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Why a kernel ended inside Seatbelt before it was ready: sandbox-exec says so, or the profile refused what a Python needs. */
export function refusedBySeatbelt(lastWords: string, detail: string): CodeActError {
  const complaint = /^sandbox-exec: (.*)/m.exec(lastWords)?.[1]
  if (complaint?.startsWith('sandbox_apply')) {
    return new CodeActError('EXECUTOR_UNAVAILABLE', `Seatbelt cannot make a sandbox here: ${complaint}`, {
      hint: `There is no sandbox inside another: start this program outside of the one that it runs in, ${INSTEAD}.`,
    })
  }
  return new CodeActError('KERNEL_START_FAILED', `Python did not start inside Seatbelt: ${complaint ?? detail}`, {
    hint:
      'The profile of local() has never been tried on a Mac, and may refuse what this Python needs. What it refused is in ' +
      `log show --last 2m --predicate 'sender == "Sandbox"': please report that. Until then, ${INSTEAD}.`,
  })
}
