import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const onWindows = process.platform === 'win32'
/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the repository's folder, to its end. A signal that reaches this process ends the program, with
 * everything it started, and then this process.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, watched?: boolean }} [options] `watched`: its output goes straight to ours
 * @returns {Promise<{ ok: boolean, output: string }>} `output`: stdout and stderr as they came; empty when watched
 */
export function run(command, args, { env = {}, watched = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', watched ? 'inherit' : 'pipe', watched ? 'inherit' : 'pipe'],
    detached: !onWindows, // a group of its own, so that a signal reaches all of it
    shell: onWindows && command === 'npx', // there it is a .cmd file
  })
  const release = passSignalsOn(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: `${command}: ${error.message}\n` }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  }).finally(release)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} stops it, and exits if a signal came meanwhile
 */
function passSignalsOn(child) {
  /** @type {NodeJS.Signals | undefined} */
  let received
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    received = signal
    killGroup(child, signal)
  }
  for (const signal of signals) process.on(signal, pass)
  return () => {
    for (const signal of signals) process.off(signal, pass)
    if (received) process.exit(128 + constants.signals[received])
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    if (onWindows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has just ended by itself.
  }
}
