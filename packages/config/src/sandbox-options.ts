import { z } from 'zod'
import { amount, count, flag, object, size, text, texts } from './schema.ts'

const MOUNT = 'a folder, or { source: folder, writable: true }'
const mount = z.union([text(MOUNT), object({ source: text(MOUNT), writable: flag().optional() })], { error: MOUNT })

const NETWORK = '"none", "full" or { allow: [hosts] }'
const network = z.union([z.enum(['none', 'full']), object({ allow: z.array(text(NETWORK)) })], { error: NETWORK })

const CHECKPOINT = 'true, false or { upTo: size }'

/** The options that mean the same in every executor. */
export const sandboxOptions = {
  /** Canonical names, the default language first. */
  languages: z.array(text('a language'), { error: 'a list of languages' }).optional(),
  /** Milliseconds that a cell may take. */
  timeoutMs: amount('a number of milliseconds above 0').optional(),
  limits: object({
    memory: size().optional(),
    cpus: amount('a number above 0').optional(),
    processes: count('a whole number above 0').optional(),
    files: count('a whole number above 0').optional(),
    disk: size().optional(),
    output: size().optional(),
  }).optional(),
  network: network.optional(),
  /** Environment variables for the code. */
  env: texts('an object of variables and their values').optional(),
  /** Host folders by the path inside; relative ones count from the config file. */
  mounts: z.record(z.string(), mount, { error: 'an object of paths inside and folders' }).optional(),
  /** Code per language, run before the first cell. */
  setup: texts('an object of languages and code').optional(),
  /** Sandboxes to keep started before they are asked for. */
  pool: object({ size: count('a whole number above 0') }).optional(),
  /** Whether variables survive a cell that has to be killed, and up to which size of the session. */
  checkpoint: z.union([flag(), object({ upTo: size() })], { error: CHECKPOINT }).optional(),
}
