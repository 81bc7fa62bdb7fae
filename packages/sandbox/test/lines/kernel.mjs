import { Session } from './session.mjs'
import { Trouble } from './trouble.mjs'
import { Wire } from './wire.mjs'

// A kernel for a language that there is not, told by its first argument how it is called.

const language = process.argv[2]
const session = new Session()
const wire = new Wire(onFrame, onInterrupt)
/** @type {Map<string, (outcome: any) => void>} */
const calls = new Map()
let cell = '-'
let stop = new AbortController()
let named = ''
let count = 0

/**
 * @param {string} type
 * @param {string} id
 * @param {any} body
 */
function onFrame(type, id, body) {
  if (type === 'start') void wire.send('ready', '-', { language, version: '1' })
  else if (type === 'run') void run(id, body.code)
  else if (type === 'result') calls.get(id)?.(body)
  else if (type === 'clock')
    void wire.send('clock', id, { waits: [...calls.keys()].every((one) => body.calls.includes(one)) })
  else if (type === 'inspect') {
    const variables = [...session.variables].map(([name, value]) => ({ name, type: typeof value }))
    void wire.send('variables', id, { variables })
  }
}

/** @param {string} name */
function onInterrupt(name) {
  named = name
  if (name === cell) stop.abort()
}

/**
 * @param {string} id
 * @param {string} code
 */
async function run(id, code) {
  cell = id
  stop = new AbortController()
  // On a busy machine the interrupt may be here before its cell.
  if (named === id) stop.abort()
  const reply = await session.run(code, {
    write: (stream, bytes) => wire.send(stream, id, bytes),
    show: (bundle) => wire.send('display', id, bundle),
    call,
    signal: stop.signal,
  })
  calls.clear()
  cell = '-'
  await wire.send('done', id, reply)
}

/**
 * @param {string} name
 * @param {unknown[]} args
 * @param {Record<string, unknown>} kwargs
 */
async function call(name, args, kwargs) {
  const id = `c${++count}`
  const outcome = await new Promise((resolve) => {
    calls.set(id, resolve)
    void wire.send('call', id, { name, args, kwargs })
  })
  calls.delete(id)
  if (outcome.ok) return outcome.value
  throw new Trouble(outcome.error.name, outcome.error.message)
}
