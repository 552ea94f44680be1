/**
 * Sanitizes untrusted text to one short line: removes control and bidirectional formatting characters and truncates.
 * May be empty. Pure.
 *
 * @param most Largest number of characters.
 */
export function oneLine(text: string, most: number): string {
  // Truncate first, so that dropped text is not processed.
  const line = text
    .slice(0, 4 * most)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : line
}
