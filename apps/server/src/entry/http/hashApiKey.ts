import { createHash } from 'node:crypto'

/** SHA-256 of an API key in lower-case hex. Keys are stored and looked up by it, so a lookup's time reveals nothing. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
