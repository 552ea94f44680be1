// Why: docs/decisions/0024-stored-json-pages.md
import { deserializeSignedQuote, type SerializedSignedQuote, serializeSignedQuote } from '@firmquote/core'
import type { NewQuote } from '../../../ports/store.ts'

/** The JSON text of a record, as stored and as sent. Pages are concatenated from these texts. */
export function encodeBody({ hash, quote, apr, createdAt }: NewQuote): string {
  return JSON.stringify({ hash, quote: serializeSignedQuote(quote), apr, createdAt })
}

/** Parses a stored text, which was validated before it was stored. */
export function parseBody(body: string): NewQuote {
  const { quote, ...rest } = JSON.parse(body) as Omit<NewQuote, 'quote'> & { quote: SerializedSignedQuote }
  return { ...rest, quote: deserializeSignedQuote(quote) }
}
