const CONTROL_PICTURES = 0x2400
const DELETE_PICTURE = '\u2421'

/**
 * Text from a model or a sandbox, made harmless for a terminal: it can move no cursor and clear no screen, and what it tried
 * is seen. Line breaks and tabs stay.
 */
export function safe(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return text.replaceAll(/\r\n/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, picture)
}

function picture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code)
  return code === 0x7f ? DELETE_PICTURE : '\ufffd'
}
