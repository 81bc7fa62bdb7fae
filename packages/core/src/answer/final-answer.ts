import type { JsonSchema, JsonValue, Schema, Tool, Validation } from '@codeact/spec'
import { type SchemaSource, schemaFrom } from '../tools/schema-from.ts'
import { jsonIn } from './json-in.ts'

/** An answer: in words, and where the agent has a schema for it, as a value of that type. */
export interface Answer {
  readonly text: string
  readonly value?: unknown
}

/** An answer that fits its schema, or what the model is told of one that does not. */
export type Judgement = { readonly answer: Answer } | { readonly miss: string }

/**
 * The typed answer of an agent that has a schema for it: the tool `final_answer` takes one from code, `judge` takes one from
 * what the model says.
 */
export class FinalAnswer {
  readonly tool: Tool
  readonly #schema: Schema
  #given: Answer | undefined

  /** Throws `OPTION_INVALID` where the schema cannot be shown to a model. */
  constructor(source: SchemaSource) {
    this.#schema = schemaFrom(source, 'The option answer')
    this.tool = this.#makeTool()
  }

  /** What the code has given since this was last asked. */
  take(): Answer | undefined {
    const given = this.#given
    this.#given = undefined
    return given
  }

  /** An answer in words: JSON that fits, in a code fence or bare, or else the words themselves where the schema takes text. */
  async judge(text: string): Promise<Judgement> {
    const json = jsonIn(text)
    const read = json === undefined ? undefined : await this.#schema.validate(json.value)
    if (read?.ok) return { answer: answerOf(read.value) }
    const plain = await this.#schema.validate(text)
    if (plain.ok) return { answer: answerOf(plain.value) }
    return { miss: read === undefined ? NOT_JSON : `${MISSES} ${read.issues.join('; ')}. ${AGAIN}` }
  }

  #makeTool(): Tool {
    const schema = this.#schema
    return {
      name: 'final_answer',
      description: `${ABOUT}${formOf(schema.jsonSchema)}`,
      parameters: { jsonSchema: parametersOf(schema.jsonSchema), validate: (input) => validateInput(schema, input) },
      execute: (input) => {
        this.#given = answerOf((input as { value: unknown }).value)
        return null
      },
    }
  }
}

const ABOUT = 'Ends the task with its answer. Call it once the answer is certain, at the end of your code.'
const AGAIN = 'Call final_answer(value) from your code with one that fits.'
const MISSES = 'This answer was not taken, because it does not have the form that is asked for:'
const NOT_JSON = `This answer was not taken, because it is not JSON. ${AGAIN}`

/** A signature says of an object or a list only that it is one. */
function formOf({ $schema, ...schema }: JsonSchema): string {
  const isPlain =
    Object.keys(schema).every((key) => key === 'type') && !['object', 'array'].includes(String(schema.type))
  return isPlain ? '' : ` The value must fit this JSON Schema: ${JSON.stringify(schema)}`
}

/** Definitions are named from the document's root, so they go there. */
function parametersOf({ $defs, definitions, $schema, ...value }: JsonSchema): JsonSchema {
  const shared = { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) }
  return { type: 'object', properties: { value }, required: ['value'], additionalProperties: false, ...shared }
}

/** Checked by the answer's own schema, which is the whole of what a value must be. */
async function validateInput(schema: Schema, input: unknown): Promise<Validation<unknown>> {
  const { value } = input as { value?: unknown }
  if (value === undefined) return { ok: false, issues: ['is missing value'] }
  const checked = await schema.validate(value)
  return checked.ok ? { ok: true, value: { value: checked.value } } : checked
}

function answerOf(value: unknown): Answer {
  return { text: typeof value === 'string' ? value : jsonText(value), value }
}

/** A value as events carry it: what JSON has no word for is told in words. */
export function jsonOf(value: unknown): JsonValue {
  return JSON.parse(jsonText(value)) as JsonValue
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, spelled) ?? 'null'
  } catch {
    return JSON.stringify(String(value))
  }
}

/** Integers beyond 2^53 are JSON too, but no number of this language. */
function spelled(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
