/**
 * The value that wire JSON stands for (see `encodeValue`). It comes from the sandbox, so it is data and stays data: nothing
 * in it is revived into an object with behaviour, and no key of it reaches a prototype.
 */
export function decodeValue(wire: unknown): unknown {
  if (Array.isArray(wire)) return wire.map(decodeValue)
  if (typeof wire !== 'object' || wire === null) return wire
  if (Object.hasOwn(wire, '$')) return decodeTagged((wire as { $: unknown }).$)
  return plainObject(Object.entries(wire).map(([key, value]) => [key, decodeValue(value)]))
}

function decodeTagged(tagged: unknown): unknown {
  const [tag, data] = Array.isArray(tagged) ? tagged : []
  if (tag === 'bytes' && typeof data === 'string') return new Uint8Array(Buffer.from(data, 'base64'))
  if (tag === 'int' && typeof data === 'string' && /^-?\d{1,100000}$/.test(data)) return BigInt(data)
  if (tag === 'float' && typeof data === 'string') return decodeFloat(data)
  if (tag === 'dict' && Array.isArray(data)) return decodeDict(data)
  throw new TypeError('the sandbox sent a value that cannot be read')
}

function decodeFloat(text: string): number {
  if (text === 'nan') return Number.NaN
  if (text === 'inf') return Number.POSITIVE_INFINITY
  if (text === '-inf') return Number.NEGATIVE_INFINITY
  return Number(text)
}

/** Keys that are not strings become their text, as JSON would have it. */
function decodeDict(pairs: readonly unknown[]): unknown {
  return plainObject(
    pairs.map((pair) => {
      const [key, value] = Array.isArray(pair) ? pair : []
      return [String(decodeValue(key)), decodeValue(value)]
    }),
  )
}

/** `defineProperty` makes `__proto__` an own key like any other. */
function plainObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}
