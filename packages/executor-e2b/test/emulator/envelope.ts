const END_FLAG = 2

/** One message of the Connect protocol: a byte of flags, four of length, JSON. */
export function envelope(message: unknown, flags = 0): Buffer {
  const json = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(json.length, 1)
  return Buffer.concat([head, json])
}

/** The message without which a stream is not whole. */
export function endOfStream(error?: { readonly code: string; readonly message: string }): Buffer {
  return envelope(error ? { error } : {}, END_FLAG)
}
