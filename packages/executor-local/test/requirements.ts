import { requirement } from '@codeact/testing'
import { execa } from 'execa'

/** A bubblewrap that may make namespaces here, and a Python for it to run. */
export const bubblewrap = await requirement('bubblewrap', () =>
  execa('bwrap', ['--unshare-all', '--disable-userns', '--unshare-user', '--ro-bind', '/', '/', 'true']),
)

export const python = await requirement('python', () => execa('python3', ['--version']))
