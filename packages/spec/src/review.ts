/**
 * What becomes of code before it runs: it runs; it does not, and the model is told why; or other code runs in its place, and
 * the model is told so.
 */
export type Verdict = 'allow' | { readonly deny: string } | { readonly edit: string; readonly because?: string }
