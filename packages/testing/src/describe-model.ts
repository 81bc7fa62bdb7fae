import { describe } from 'vitest'
import { abortCases } from './model/abort-cases.ts'
import { enoughCases } from './model/enough-cases.ts'
import { errorCases } from './model/error-cases.ts'
import { replyCases } from './model/reply-cases.ts'
import { retryCases } from './model/retry-cases.ts'
import { secretCases } from './model/secret-cases.ts'
import { settingsCases } from './model/settings-cases.ts'
import { stopCases } from './model/stop-cases.ts'
import { streamCases } from './model/stream-cases.ts'
import { type ModelSubject, Subject } from './model/subject.ts'
import { transcriptCases } from './model/transcript-cases.ts'

export interface ModelSuite extends ModelSubject {
  /** The parts to run. Default: all of them. */
  readonly parts?: readonly ModelPart[]
}

export type ModelPart = keyof typeof PARTS

/**
 * The contract of every `LanguageModel`, on the wire: the same replies, written in a vendor's protocol by a server on this
 * machine, must come as the same events; the same failures as the same errors. What a vendor does not have is declared in
 * `exceptions`, and skipped with the reason given there.
 */
export function describeModel({ parts = ALL, ...given }: ModelSuite): void {
  describe(`model: ${given.name}`, () => {
    const subject = new Subject(given)
    for (const part of parts) PARTS[part](subject)
  })
}

const PARTS = {
  replies: replyCases,
  stream: streamCases,
  transcripts: transcriptCases,
  stop: stopCases,
  retries: retryCases,
  failures: errorCases,
  settings: settingsCases,
  secrets: secretCases,
  abort: abortCases,
  enough: enoughCases,
} as const satisfies Record<string, (subject: Subject) => void>

const ALL = Object.keys(PARTS) as ModelPart[]
