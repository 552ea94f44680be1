/** Redacts secrets in output. */
export type Secrets = {
  hide(secret: string): void
  /** Returns the text with every secret replaced. */
  redact(text: string): string
}

// Minimum length of a secret. Shorter texts are not redacted, because they would match ordinary words.
const shortest = 12

/** Creates a set of secrets that is not exposed by JSON or `util.inspect`. */
export function createSecrets(): Secrets {
  const secrets = new Set<string>()
  return {
    hide(secret) {
      // Redact a key with or without its 0x prefix, in any letter case.
      for (const form of [secret, secret.replace(/^0x/i, '')])
        if (form.length >= shortest) secrets.add(form.toLowerCase())
    },
    redact(text) {
      let shown = text
      for (const secret of secrets) {
        for (;;) {
          const at = shown.toLowerCase().indexOf(secret)
          if (at === -1) break
          shown = `${shown.slice(0, at)}(hidden)${shown.slice(at + secret.length)}`
        }
      }
      return shown
    },
  }
}

/** Removes anything that could be a key from untrusted text. */
export function withoutKeys(text: string): string {
  return text.replace(/(?:0x)?[0-9a-f]{64}/gi, '(hidden)')
}
