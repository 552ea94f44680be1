/**
 * Sanitizes untrusted text to a single line. Replaces control and formatting characters (including bidirectional ones)
 * with spaces, and truncates the result, which may be empty. Pure.
 *
 * @param most Maximum number of characters.
 */
export function oneLine(text: string, most: number): string {
  // Truncate first, to bound the work on long input.
  const line = text
    .slice(0, 4 * most)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : line
}
