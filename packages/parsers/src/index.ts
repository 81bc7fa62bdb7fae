export { type CodeOnlyOptions, codeOnly } from './code-only.ts'
export { type FencedOptions, fenced } from './fenced.ts'
export { type XmlOptions, xml } from './xml.ts'
