/**
 * Untrusted text as one short line: without control characters and those that turn the direction of the text around
 * them, cut off where they are too long. Empty when nothing is left. Pure.
 *
 * @param most how many characters are shown.
 */
export function oneLine(text: string, most: number): string {
  // Cut first: what would be thrown away is not processed.
  const line = text
    .slice(0, 4 * most)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : line
}
