import type { MimeBundle } from '@codeact/spec'

/** What E2B calls the forms of a result. */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  markdown: 'text/markdown',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
  latex: 'text/latex',
  json: 'application/json',
  javascript: 'application/javascript',
  data: 'application/vnd.e2b.data+json',
  chart: 'application/vnd.e2b.chart+json',
}

/** A result of E2B's notebook, by media types. What is no text is told as JSON; forms that E2B has no name for keep their own. */
export function mimeBundle(raw: Readonly<Record<string, unknown>>): MimeBundle {
  const { extra, ...named } = raw
  const known = Object.entries(named).flatMap(([name, form]) =>
    Object.hasOwn(TYPES, name) ? [[TYPES[name], form]] : [],
  )
  const others = Object.entries(extra ?? {}).filter(([type]) => type.includes('/'))
  const forms = [...known, ...others].filter(([, form]) => form !== undefined && form !== null)
  return Object.fromEntries(forms.map(([type, form]) => [type, typeof form === 'string' ? form : JSON.stringify(form)]))
}
