import { type Capabilities, CodeActError } from '@codeact/spec'

/** What people and models call a language, by its canonical name. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  python: ['py', 'python3'],
  javascript: ['js', 'node'],
  typescript: ['ts'],
  bash: ['sh', 'shell'],
}

/** The canonical name of a language that the sandbox runs; its first by default. Throws `LANGUAGE_UNKNOWN`. */
export function canonicalLanguage(name: string | undefined, { languages }: Capabilities): string {
  const spoken = languages.map(({ language }) => language)
  const wanted = name?.toLowerCase()
  const found =
    wanted === undefined
      ? spoken[0]
      : spoken.find((language) => language === wanted || ALIASES[language]?.includes(wanted))
  if (found !== undefined) return found
  throw new CodeActError('LANGUAGE_UNKNOWN', `This sandbox does not run ${name ?? 'any language'}.`, {
    hint: `It runs ${spoken.join(', ') || 'none'}.`,
  })
}

/** What a sandbox can, for users who asked for some of its languages, the default first. */
export function narrowed(capabilities: Capabilities, asked: readonly string[] | undefined): Capabilities {
  if (asked === undefined) return capabilities
  const languages = asked.flatMap((name) => capabilities.languages.find(({ language }) => language === name) ?? [])
  return { ...capabilities, languages }
}
