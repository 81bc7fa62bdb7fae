import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Trouble, unlessInterrupted } from './trouble.mjs'

/** @typedef {(rest: string, session: import('./session.mjs').Session, world: import('./session.mjs').World) => unknown} Command */

/** @param {string} text */
const words = (text) => text.split(/\s+/).filter(Boolean)

/** @type {Command} Tries a line; where it fails, prints the message. */
async function attempt(line, session, world) {
  try {
    return await session.evaluate(line, world)
  } catch (error) {
    return world.write('stdout', Buffer.from(`${error instanceof Error ? error.message : error}\n`))
  }
}

/** @type {Command} Calls a tool with words, and with name=word. */
async function call(rest, session, { call, signal }) {
  const [name = '', ...given] = words(rest)
  const named = given.flatMap((one) =>
    /^(\w+)=(.*)$/.exec(one) ? [/** @type {[string, string]} */ (one.split('='))] : [],
  )
  const kwargs = Object.fromEntries(named.map(([key, word]) => [key, session.word(word)]))
  const args = given.filter((one) => !one.includes('=')).map((word) => session.word(word))
  return (await unlessInterrupted(call(name, args, kwargs), signal)) ?? undefined
}

/** @type {Command} Runs a process, and prints what it prints. */
async function shell(line, _session, { write, signal }) {
  const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'], signal })
  child.stdout.on('data', (bytes) => void write('stdout', bytes))
  return unlessInterrupted(once(child, 'close'), signal).then(() => undefined)
}

/** @type {Command} Never ends; `spin deaf` hears nothing either. */
async function spin(how, _session, { signal }) {
  const parent = process.ppid
  while (how === 'deaf' && process.ppid === parent);
  for (;;) await unlessInterrupted(setImmediate(), signal)
}

/** @type {Readonly<Record<string, Command>>} */
export const COMMANDS = {
  say: (text, _session, { write }) => write('stdout', Buffer.from(`${text}\n`)),
  warn: (text, _session, { write }) => write('stderr', Buffer.from(`${text}\n`)),
  bytes: (hex, _session, { write }) => write('stdout', Buffer.from(hex.replaceAll(' ', ''), 'hex')),
  repeat: (rest, _session, { write }) => {
    const [times, text = ''] = words(rest)
    return write('stdout', Buffer.from(text.repeat(Number(times))))
  },
  mute: (_rest, _session, world) => {
    world.write = async () => {}
  },
  show: (rest, _session, { show }) => {
    const [type = '', ...form] = words(rest)
    return show({ 'text/plain': 'something', [type]: form.join(' ') })
  },
  sum: (rest, session) => words(rest).reduce((sum, word) => sum + Number(session.word(word)), 0),
  set: async (rest, session, world) => {
    const [name = '', ...line] = words(rest)
    session.variables.set(name, await session.evaluate(line.join(' '), world))
  },
  define: (rest, session) => {
    const [name = '', ...line] = words(rest)
    session.definitions.set(name, line.join(' '))
  },
  fail: (message) => {
    throw new Trouble('Failure', message)
  },
  try: attempt,
  call,
  sleep: (seconds, _session, { signal }) => unlessInterrupted(setTimeout(Number(seconds) * 1000), signal),
  spin,
  shell,
  start: (line) => spawn('sh', ['-c', line], { stdio: 'ignore' }).unref(),
  enter: (folder) => {
    mkdirSync(folder)
    process.chdir(folder)
  },
  where: (_rest, _session, { write }) => write('stdout', Buffer.from(`${process.cwd()}\n`)),
  copy: (rest) => {
    const [from = '', to = ''] = words(rest)
    copyFileSync(from, to)
  },
  link: (rest) => {
    const [target = '', path = ''] = words(rest)
    symlinkSync(target, path)
  },
  exit: (code) => process.exit(Number(code)),
  die: (signal) => process.kill(process.pid, signal),
}
