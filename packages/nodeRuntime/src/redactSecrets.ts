/**
 * Replaces secrets in a text with `<hidden>`. Longer secrets are replaced first, so that no part of a secret remains.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '<hidden>'), text)
}
