/** Formats rows as columns. Every row has the same number of cells. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [])
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats Unix milliseconds as UTC, to the second. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Formats a time span in its two largest units. */
export function timeSpan(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const
  const first = units.findIndex(([, size]) => seconds >= size)
  const shown = units.slice(first === -1 ? units.length - 1 : first).slice(0, 2)
  let rest = seconds
  return shown
    .map(([unit, size]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return `${count} ${unit}`
    })
    .join(' ')
}

/**
 * Replaces control and format characters other than line breaks, because reasons and names may contain sequences that
 * a terminal executes.
 */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, '\ufffd')
}
