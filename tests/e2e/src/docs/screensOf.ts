/** What a terminal showed from a moment on: its lines, without spaces at their ends. */
export type Screen = { atMs: number; lines: string[] }

/**
 * The screens that a program's output makes on a terminal that is long enough, at most one in `everyMs`, and the last one. Of the
 * control sequences those that move the cursor by lines and clear lines have an effect; any other is left out.
 */
export function screensOf(output: readonly { atMs: number; text: string }[], everyMs: number): Screen[] {
  const lines: string[] = ['']
  let [row, column] = [0, 0]
  const put = (text: string) => {
    const line = (lines[row] ?? '').padEnd(column)
    lines[row] = line.slice(0, column) + text + line.slice(column + text.length)
    column += text.length
  }
  const control = (count: number, verb: string | undefined) => {
    if (verb === 'A') row = Math.max(0, row - count)
    if (verb === 'B') row += count
    if (verb === 'G') column = count - 1
    if (verb === 'K') lines[row] = ''
    while (lines.length <= row) lines.push('')
  }
  const screens: Screen[] = []
  for (const [index, { atMs, text }] of output.entries()) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's control sequences begin with one
    for (const [piece, parameters, verb] of text.matchAll(/\u001b\[([?\d;]*)([A-Za-z])|\r|\n|[^\u001b\r\n]+/g)) {
      if (piece === '\r') column = 0
      else if (piece === '\n') control(1, 'B')
      else if (verb === undefined) put(piece)
      // Without a number, `K` clears from the cursor on: after what was written, where nothing is left to clear.
      else if (verb !== 'K' || parameters === '2') control(Number(parameters || '1'), verb)
    }
    const shown = lines.map((line) => line.trimEnd())
    while (shown.at(-1) === '') shown.pop()
    const last = screens.at(-1)
    const isDue = last === undefined || atMs - last.atMs >= everyMs || index === output.length - 1
    if (isDue) screens.push({ atMs: Math.round(atMs), lines: shown })
  }
  return screens
}
