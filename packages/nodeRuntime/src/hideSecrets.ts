/** A text without these others, which must never be written; the longest go first, so that none leaves a rest of another. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '<hidden>'), text)
}
