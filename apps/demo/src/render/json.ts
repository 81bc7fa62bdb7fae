import type { Renderer } from './renderer.ts'

/** Each event as a line of JSON: what programs read, and `replay` plays. */
export const json: Renderer = {
  show: (event) => `${JSON.stringify(event)}\n`,
  leave: () => '',
}
