import { knownLanguage } from './languages.ts'

const VALUE = String.raw`"([^"]*)"|'([^']*)'|([^\s"'=<>\x60]+)`
const ATTRIBUTE = String.raw`([\w:.-]+)\s*=\s*(?:${VALUE})`
const ATTRIBUTES = new RegExp(String.raw`^(?:\s+${ATTRIBUTE})*\s*$`)

/**
 * The language that an opening tag names, out of what stands between its name and `>`: ` language="bash"`, ` lang=py`, or
 * just ` bash`. `otherwise` when it names none; undefined when those are no attributes, so that it is no tag.
 */
export function languageOfTag(rest: string, otherwise: string): string | undefined {
  const bare = knownLanguage(rest.trim())
  if (bare !== undefined) return bare
  if (!ATTRIBUTES.test(rest)) return undefined
  for (const [, name = '', quoted, apostrophed, plain] of rest.matchAll(new RegExp(ATTRIBUTE, 'g'))) {
    const value = (quoted ?? apostrophed ?? plain ?? '').trim()
    if (/^lang(uage)?$/i.test(name) && value !== '') return knownLanguage(value) ?? value
  }
  return otherwise
}
