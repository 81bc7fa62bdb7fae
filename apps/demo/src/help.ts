const MAIN = `codeact: agents that act by writing code. The code runs in a sandbox.

  codeact "task"          work on one task
  codeact chat            work on one task after the other; variables stay
  codeact resume FILE     go on from the log of a task that has no answer yet
  codeact tasks           play recorded tasks in a real sandbox; needs no key

  --model MODEL           who speaks: openai:NAME, anthropic:NAME,
                          replay:FILE
  --executor EXECUTOR     who runs the code: wasm (nothing to install), local,
                          docker, docker:IMAGE, e2b, e2b:TEMPLATE
  --parser PARSER         how code is written: xml, fenced, code-only,
                          tool-call, auto (by what the model does best)
  --base-url URL          the model's server: Ollama, vLLM, llama.cpp, a gateway
  --config FILE           default: codeact.config.ts, .mjs or .json here
  --max-steps N           how many turns a task may take
  --approve               ask before each piece of code runs
  --json                  events, each a line of JSON; nothing else on stdout
  --log FILE              add them to a file as they happen, to go on from
  --rebuild               of resume: run the code of before again, with what its
                          tools gave then; without it, its variables are gone
  --list-models           what --model may be: asks OpenAI, the provider that
                          --model names, or the server at --base-url
  --help, --version       codeact tasks --help, codeact chat --help say more

CODEACT_MODEL, CODEACT_EXECUTOR, CODEACT_PARSER and CODEACT_BASE_URL do so too.
A flag wins over the environment, the environment over the config file.
OPENAI_API_KEY is OpenAI's key; with --base-url none is needed. E2B_API_KEY is
E2B's.`

const TASKS = `codeact tasks [NAME…]: play recorded sessions, or those of these names.

What the model says is recorded. Its code really runs, and what it gives must be
what the recording says; a difference is an error. It ends with a table, and
with exit code 0 if all agree.

  --executor EXECUTOR     where the code runs: wasm (default), local, docker,
                          docker:IMAGE, e2b, e2b:TEMPLATE
  --model MODEL           let this model work on the tasks: nothing is recorded
  --base-url URL          the model's server
  --config FILE           default: codeact.config.ts, .mjs or .json here
  --json                  each event as a line of JSON; the rest goes to stderr`

const CHAT = `codeact chat: one task after the other, each a line of stdin. What was said and
the variables stay. /exit or Ctrl-D ends it.

It takes the flags of codeact "task"; codeact --help shows them.`

const TOPICS: Readonly<Record<string, string>> = { tasks: TASKS, chat: CHAT }

/** How to use the command, or one part of it. */
export function helpFor(topic: string | undefined): string {
  return TOPICS[topic ?? ''] ?? MAIN
}
