import { expect, vi } from 'vitest'
import { expectError, failureWith } from './failure.ts'
import { drain, joined } from './hear.ts'
import { deadAddress } from './model-server.ts'
import type { Keyless, Subject } from './subject.ts'

const KEY = 'key-0123456789-of-mine'
const OTHER_KEY = 'other-0123456789-of-mine'

const ADDRESSES = ['localhost:11434', 'ftp://localhost', 'nowhere']
const FOREIGN_KEYS = [`${KEY}\n${KEY}`, `${KEY} ${KEY}`, `größe-${KEY}`]

/** Which key a model has and which server it asks, and what is said where it can have none. */
export function settingsCases(subject: Subject): void {
  subject.group('the settings', (it) => {
    it('without a key -> MODEL_KEY_MISSING, and which variable to set', () => keyMissing(subject, undefined), {
      promise: 'key',
    })

    it(
      'with a blank for a key -> MODEL_KEY_MISSING',
      async () => {
        for (const blank of ['', ' \n']) await keyMissing(subject, blank)
      },
      { promise: 'key.blank' },
    )

    it(
      'with a key that cannot be one -> MODEL_AUTH',
      async () => {
        const address = await deadAddress()
        for (const apiKey of FOREIGN_KEYS) {
          expectError(await subject.failureAt(address, { apiKey }), 'MODEL_AUTH', false)
        }
      },
      { promise: 'key.form' },
    )

    for (const origin of ADDRESSES) {
      it(`with the address ${origin}, which is none -> MODEL_BASE_URL`, async () => {
        expectError(await subject.failureAt({ origin, baseURL: `${origin}/v1` }), 'MODEL_BASE_URL', false)
      })
    }

    it(
      'may be those of the environment, and where it names a server, no key is needed',
      async () => {
        await using server = await subject.serve(subject.says('ok'))
        const { variables, model, named } = keylessOf(subject)
        if (named === undefined)
          throw new Error('The `keyless` names no server, and there is no exception `environment`.')
        for (const key of [KEY, undefined]) {
          await inEnvironment({ ...withKey(variables, key), ...named(server) }, async () => {
            expect(joined(await drain(model()), 'text-delta')).toBe('ok')
          })
        }
        expect(server.received.map(({ headers }) => JSON.stringify(headers).includes(KEY))).toEqual([true, false])
      },
      { promise: 'environment' },
    )

    it(
      'of the environment count for nothing where others are given',
      async () => {
        await using server = await subject.serve(subject.says('ok'))
        const { variables, named } = keylessOf(subject)
        await inEnvironment({ ...withKey(variables, OTHER_KEY), ...named?.(await deadAddress()) }, async () => {
          expect(joined(await drain(subject.model(server, { apiKey: KEY })), 'text-delta')).toBe('ok')
        })
        const sent = JSON.stringify(server.received[0]?.headers)
        expect(sent).toContain(KEY)
        expect(sent).not.toContain(OTHER_KEY)
      },
      { promise: 'key' },
    )
  })
}

async function keyMissing(subject: Subject, key: string | undefined): Promise<void> {
  const { variables, model } = keylessOf(subject)
  await inEnvironment(withKey(variables, key), async () => {
    const error = await failureWith(model)
    expectError(error, 'MODEL_KEY_MISSING', false)
    expect(`${error.message} ${error.hint}`).toContain(variables[0])
  })
}

function keylessOf({ given: { keyless } }: Subject): Keyless {
  if (keyless === undefined) throw new Error('The subject has no `keyless`, and no exception `key`.')
  return keyless
}

type Variables = Readonly<Record<string, string | undefined>>

/** This key, and nothing in the other variables. */
function withKey(variables: readonly string[], key: string | undefined): Variables {
  return Object.fromEntries(variables.map((name, index) => [name, index === 0 ? key : undefined]))
}

async function inEnvironment(variables: Variables, run: () => Promise<void>): Promise<void> {
  try {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    await run()
  } finally {
    vi.unstubAllEnvs()
  }
}
