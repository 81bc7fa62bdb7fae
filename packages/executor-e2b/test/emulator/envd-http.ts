import { gunzipSync, gzipSync } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import { Refusal } from './refusal.ts'
import type { EmulatedSandbox } from './sandbox.ts'

/** envd's own HTTP: whole files, and the environment. */
export async function serveEnvdHttp(exchange: Exchange, sandbox: EmulatedSandbox): Promise<void> {
  try {
    if (exchange.route === 'GET /files') await download(exchange, sandbox)
    else if (exchange.route === 'POST /files') await upload(exchange, sandbox)
    else if (exchange.route === 'GET /envs') exchange.reply(200, sandbox.globalEnvironment)
    else exchange.refuse(404, '404 page not found')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refuse(error.status, error.message)
  }
}

async function download(exchange: Exchange, { agent }: EmulatedSandbox): Promise<void> {
  const path = exchange.query.get('path') ?? ''
  const bytes = await agent.ask('read-file', { path }, undefined, ({ body }) => body)
  const isGzip = bytes.length > 0 && exchange.headers['accept-encoding']?.includes('gzip')
  if (isGzip) exchange.reply(200, gzipSync(bytes, { level: 1 }), { 'content-encoding': 'gzip' })
  else exchange.reply(200, bytes)
}

async function upload(exchange: Exchange, { agent }: EmulatedSandbox): Promise<void> {
  const metadata = metadataIn(exchange)
  const written: unknown[] = []
  for (const { path, bytes } of await filesIn(exchange)) {
    const { entry } = await agent.ask<{ entry: Entry }>('write-file', { path, metadata }, bytes)
    written.push({ name: entry.name, path: entry.path, type: 'file', ...(metadata ? { metadata } : {}) })
  }
  exchange.reply(200, Buffer.from(JSON.stringify(written)), { 'content-type': 'text/plain; charset=utf-8' })
}

interface Entry {
  readonly name: string
  readonly path: string
}

async function filesIn({ body, headers, query }: Exchange): Promise<{ path: string; bytes: Buffer }[]> {
  const path = query.get('path')
  const type = headers['content-type'] ?? ''
  const content = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  if (type.startsWith('application/octet-stream')) {
    if (path === null) throw new Refusal('invalid_argument', 'path is required')
    return [{ path, bytes: content }]
  }
  const form = await new Response(new Uint8Array(content), { headers: { 'content-type': type } }).formData()
  const parts = form.getAll('file').filter((part) => typeof part !== 'string')
  return Promise.all(
    parts.map(async (part) => ({ path: path ?? part.name, bytes: Buffer.from(await part.arrayBuffer()) })),
  )
}

const PREFIX = 'x-metadata-'

function metadataIn({ headers }: Exchange): Record<string, string | undefined> | undefined {
  const given = Object.entries(headers).filter(([name]) => name.startsWith(PREFIX))
  return given.length === 0
    ? undefined
    : Object.fromEntries(given.map(([name, value]) => [name.slice(PREFIX.length), value]))
}
