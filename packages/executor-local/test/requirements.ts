import { onRequest, requirement } from '@codeact/testing'
import { execa } from 'execa'

/** A bubblewrap that may make namespaces here, and a Python for it to run. */
export const bubblewrap = await requirement('bubblewrap', () =>
  execa('bwrap', ['--unshare-all', '--disable-userns', '--unshare-user', '--ro-bind', '/', '/', 'true']),
)

export const python = await requirement('python', () => execa('python3', ['--version']))

const ALLOW_ALL = '(version 1)(allow default)'

/** macOS, and no sandbox around this process: there is none inside another. */
export const seatbelt = await requirement('seatbelt', async () => {
  if (process.platform !== 'darwin') throw new Error('it is a part of macOS')
  await execa('/usr/bin/sandbox-exec', ['-p', ALLOW_ALL, '/usr/bin/true'])
})

/** The system's own. */
export const isolation = process.platform === 'darwin' ? seatbelt : bubblewrap

export const slow = onRequest('slow')
