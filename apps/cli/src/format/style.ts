/** Text emphasis. Returns the text unchanged if colours are off. */
export type Style = {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
}

/** No escape sequences. */
export const plainStyle: Style = { bold: same, dim: same, good: same, bad: same }

/** The sixteen standard terminal colours. */
export const colourStyle: Style = {
  bold: (text) => wrap(1, 22, text),
  dim: (text) => wrap(2, 22, text),
  good: (text) => wrap(32, 39, text),
  bad: (text) => wrap(31, 39, text),
}

function same(text: string): string {
  return text
}

function wrap(on: number, off: number, text: string): string {
  return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`
}
