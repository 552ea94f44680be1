// biome-ignore lint/suspicious/noControlCharactersInRegex: matches cursor movements.
const sequence = /\u001b\[([?\d;]*)([a-zA-Z])|\n|[^\u001b\n]+/gu

/** Returns what a terminal shows after some output: lines without colours, up to the cursor's line. */
export function screenAfter(output: string): string[] {
  const lines: string[] = ['']
  let [row, column] = [0, 0]
  for (const [text, argument = '', command] of output.matchAll(sequence)) {
    const line = lines[row] ?? ''
    const count = Number(argument) || 1
    if (text === '\n') [row, column] = [row + 1, 0]
    else if (command === undefined) {
      lines[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length)
      column += text.length
    } else if (command === 'A') row = Math.max(0, row - count)
    else if (command === 'B') row += count
    else if (command === 'G') column = count - 1
    else if (command === 'K') lines[row] = argument === '2' ? '' : line.slice(0, column)
    // Colours and synchronized updates do not change the text.
    else if (!/^(?:m|h|l)$/.test(command)) throw new TypeError(`unsupported escape sequence: ${JSON.stringify(text)}`)
    for (let at = 0; at <= row; at++) lines[at] ??= ''
  }
  return lines.slice(0, row + 1)
}
