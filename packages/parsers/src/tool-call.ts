import {
  type ActionParser,
  CodeActError,
  type JsonSchema,
  type PromptContext,
  type Tool,
  type ToolDeclaration,
} from '@codeact/spec'
import { CodeCall, EXECUTE_CODE } from './calls/code-call.ts'
import { DirectCall } from './calls/direct-call.ts'
import { type CallMaker, ToolCallReader } from './calls/tool-call-reader.ts'
import { UnknownCall } from './calls/unknown-call.ts'
import { aboutFinishing, aboutRunning, list, paragraphs } from './prompt.ts'
import { replyAsResult } from './reply.ts'

export interface ToolCallOptions {
  /** Tools that the model may also call itself, without code: all of the agent's, or those with these names. Default none. */
  readonly direct?: 'all' | readonly string[]
}

/**
 * Code through the model's native tool calls: `execute_code({ language, code })`. Where the sandbox runs one language, there
 * is no `language`.
 *
 * `instructions()` and `tools()` throw `PARSER_DIRECT` when `direct` names a tool that the agent does not have.
 */
export function toolCall(options: ToolCallOptions = {}): ActionParser {
  const { direct = [] } = options
  return {
    name: 'tool-call',
    stop: [],
    instructions: (context) => instructions(directTools(direct, context), context),
    finishing: (context) =>
      aboutFinishing(context, 'When the task is done, reply with the answer and without any call.'),
    tools: (context) => [declaration(context), ...directTools(direct, context).map(declared)],
    start: (context = ALONE) => new ToolCallReader(callMaker(directTools(direct, context), context)),
    reply: replyAsResult,
  }
}

/** A reader that is used without an agent. */
const ALONE: PromptContext = { languages: ['python'], tools: [] }

function directTools(direct: 'all' | readonly string[], { tools }: PromptContext): readonly Tool[] {
  const names = direct === 'all' ? tools.map(({ name }) => name) : direct
  return names.map((name) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw unknown(name, tools)
    if (name === EXECUTE_CODE) throw new CodeActError('PARSER_DIRECT', `toolCall(): ${name} is the tool that runs code`)
    return tool
  })
}

function unknown(name: string, tools: readonly Tool[]): CodeActError {
  const names = tools.map((tool) => tool.name).join(', ') || 'none'
  return new CodeActError('PARSER_DIRECT', `toolCall(): direct names ${JSON.stringify(name)}, which is no tool`, {
    hint: `Name tools that the agent has: ${names}. Or pass direct: 'all'.`,
  })
}

function callMaker(direct: readonly Tool[], { languages, tools }: PromptContext): CallMaker {
  const has = (some: readonly Tool[], name: string) => some.some((tool) => tool.name === name)
  return (callId, name, output) => {
    if (name === EXECUTE_CODE) return new CodeCall(callId, languages, output)
    if (has(direct, name)) return new DirectCall(callId, name, output)
    return new UnknownCall(callId, name, has(tools, name), output)
  }
}

function declared({ name, description, parameters }: Tool): ToolDeclaration {
  return { name, description, parameters: parameters.jsonSchema }
}

function declaration({ languages }: PromptContext): ToolDeclaration {
  const [main = 'python'] = languages
  const code = { type: 'string', description: 'The program.' }
  const language = { type: 'string', enum: languages, description: 'What it is written in.' }
  return {
    name: EXECUTE_CODE,
    description: `Runs ${languages.length > 1 ? 'code' : `${main} code`}, and gives what it printed and the value of its last expression.`,
    parameters: languages.length > 1 ? inputOf({ language, code }) : inputOf({ code }),
  }
}

function inputOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function instructions(direct: readonly Tool[], context: PromptContext): string {
  const { languages } = context
  const names = direct.map(({ name }) => name).join(', ')
  return paragraphs(
    `You act by writing code. Call the tool ${EXECUTE_CODE} with it. It is run, and the result of the call shows you what came of it.`,
    list(
      ...(languages.length > 1 ? [`The code may be in ${languages.join(', ')}. Say which.`] : []),
      ...aboutRunning('call', context),
      'A reply may hold several calls. They run in order; what follows code that failed is not run.',
      'Code in the text of your reply is not run.',
      ...(direct.length > 0
        ? [`These tools you may also call without code, when one call is all that is needed: ${names}.`]
        : []),
    ),
  )
}
