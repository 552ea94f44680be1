/** Removes secrets from texts. */
export type Secrets = {
  hide(secret: string): void
  /** The text, with every secret replaced. */
  redact(text: string): string
}

// A shorter text is no secret, and would match ordinary words.
const shortest = 12

/** Remembers what must not be shown. Holds it where neither JSON nor `util.inspect` reaches. */
export function createSecrets(): Secrets {
  const secrets = new Set<string>()
  return {
    hide(secret) {
      // A key is one with and without its 0x, in any case of letters.
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

/** A text of which nothing is known, with everything that could be a key left out. */
export function withoutKeys(text: string): string {
  return text.replace(/(?:0x)?[0-9a-f]{64}/gi, '(hidden)')
}
