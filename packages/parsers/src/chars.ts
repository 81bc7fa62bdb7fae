// The characters that decide something, by their code: the scanners read codes, not strings.
export const TAB = 9
export const NEWLINE = 10
export const RETURN = 13
const SPACE = 32
export const DOUBLE_QUOTE = 34
export const HASH = 35
export const DOLLAR = 36
export const SINGLE_QUOTE = 39
export const OPEN_PAREN = 40
export const CLOSE_PAREN = 41
export const STAR = 42
export const PLUS = 43
export const DASH = 45
export const DOT = 46
export const SLASH = 47
export const LESS = 60
export const GREATER = 62
export const OPEN_SQUARE = 91
export const BACKSLASH = 92
export const CLOSE_SQUARE = 93
const UNDERSCORE = 95
export const BACKTICK = 96
export const OPEN_BRACE = 123
export const CLOSE_BRACE = 125
export const TILDE = 126

export function isDigit(char: number): boolean {
  return char >= 48 && char <= 57
}

/** Part of a name, in any of the languages: letters, digits, `_`, and whatever is not ASCII. */
export function isWordChar(char: number): boolean {
  return (char >= 97 && char <= 122) || (char >= 65 && char <= 90) || isDigit(char) || char === UNDERSCORE || char > 127
}

/** A space or a tab. */
export function isBlank(char: number): boolean {
  return char === SPACE || char === TAB
}

/** ASCII white space, line ends included. */
export function isSpace(char: number): boolean {
  return char === SPACE || (char >= TAB && char <= RETURN)
}
