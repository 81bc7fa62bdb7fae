/** What is known of a family of OpenAI's models. A name that no family has is tried, and what it refuses is remembered. */
interface Family {
  readonly names: RegExp
  readonly reasons: boolean
}

const FAMILIES: readonly Family[] = [
  { names: /^(o\d|gpt-[5-9](?!.*-chat)|codex-)/, reasons: true },
  { names: /^(gpt-[34]|chatgpt-)/, reasons: false },
]

/** Reasoning models take no stop sequences. Sent all the same, they would cost a refused request. */
export function refusesStop(model: string): boolean {
  return familyOf(model)?.reasons === true
}

/** Models that do not reason refuse to be asked for their reasoning. */
export function refusesReasoning(model: string): boolean {
  return familyOf(model)?.reasons === false
}

function familyOf(model: string): Family | undefined {
  const name = model.replace(/^.*\//, '').replace(/^ft:/, '') // a gateway's `openai/o3`, a tuned `ft:gpt-4o:…`
  return FAMILIES.find(({ names }) => names.test(name))
}
