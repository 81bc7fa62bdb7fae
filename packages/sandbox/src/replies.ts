import type { LanguageInfo, MimeBundle, Rollback, Variable } from '@codeact/spec'
import type { DoneReply } from './kernel-client.ts'
import type { RawToolCall } from './tool-dispatch.ts'
import { decodeValue } from './values/decode.ts'

// What kernels say, read as untrusted input: each reader takes the fields it knows, checks their types, and throws a
// TypeError for anything else.

const LONGEST_NAME = 200
const LONGEST_PHRASE = 2000
const MOST_PHRASES = 1000

/** A kernel that can be used. */
export interface Ready extends LanguageInfo {
  /** Whether it has been used before, by another host, and has kept its variables. */
  readonly isKept: boolean
}

export function readReady(body: Uint8Array): Ready {
  const { language, version, kept } = parse(body)
  return {
    language: text(language, 'language'),
    version: text(version, 'version'),
    checkpoint: false,
    isKept: kept === true,
  }
}

export function readDone(body: Uint8Array): DoneReply {
  const { ok, value, error, unprotected } = parse(body)
  if (typeof ok !== 'boolean') throw new TypeError('ok is not a boolean')
  return {
    ok,
    ...(value === undefined || value === null ? {} : { value: bundle(value) }),
    ...(error === undefined || error === null ? {} : { error: executionError(record(error, 'error')) }),
    ...(typeof unprotected === 'string' ? { unprotected: unprotected.slice(0, LONGEST_PHRASE) } : {}),
  }
}

/** Why there is no copy; undefined where there is one. */
export function readCopied(body: Uint8Array): string | undefined {
  const { reason } = parse(body)
  return reason === null || reason === undefined ? undefined : text(reason, 'reason').slice(0, LONGEST_PHRASE)
}

/** What a copy says that goes on: what of its session is back, and the name that it was asked for by, where it was. */
export interface Awake {
  readonly rollback: Rollback
  readonly name?: string
}

export function readAwake(body: Uint8Array): Awake {
  const { restored, lost, name } = parse(body)
  const rollback = { restored: phrases(restored, 'restored'), lost: phrases(lost, 'lost') }
  return typeof name === 'string' ? { rollback, name } : { rollback }
}

function phrases(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} is not a list`)
  return value.slice(0, MOST_PHRASES).map((one) => text(one, what).slice(0, LONGEST_PHRASE))
}

export function readVariables(body: Uint8Array): Variable[] {
  const { variables } = parse(body)
  if (!Array.isArray(variables)) throw new TypeError('variables is not a list')
  return variables.map((one) => variable(record(one, 'variable')))
}

function variable({ name, type, shape, size }: Record<string, unknown>): Variable {
  return {
    name: text(name, 'name'),
    type: text(type, 'type'),
    ...(shape === undefined ? {} : { shape: text(shape, 'shape') }),
    ...(typeof size === 'number' ? { size } : {}),
  }
}

export function readClock(body: Uint8Array): boolean {
  return parse(body).waits === true
}

export function readBundle(body: Uint8Array): MimeBundle {
  return bundle(parse(body))
}

export function readCall(callId: string, body: Uint8Array): RawToolCall {
  const { name, args, kwargs } = parse(body)
  if (!Array.isArray(args)) throw new TypeError('args is not a list')
  return {
    callId,
    name: text(name, 'name'),
    args: args.map(decodeValue),
    kwargs: record(decodeValue(record(kwargs, 'kwargs')), 'kwargs'),
  }
}

function executionError(error: Record<string, unknown>) {
  return {
    name: text(error.name, 'name').slice(0, LONGEST_NAME),
    message: text(error.message, 'message'),
    traceback: text(error.traceback, 'traceback'),
  }
}

function bundle(value: unknown): MimeBundle {
  const entries = Object.entries(record(value, 'bundle')).map(([type, data]) => [type, text(data, type)])
  return Object.fromEntries(entries)
}

function parse(body: Uint8Array): Record<string, unknown> {
  return record(JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')), 'body')
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${what} is not an object`)
  return value as Record<string, unknown>
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} is not a string`)
  return value
}
