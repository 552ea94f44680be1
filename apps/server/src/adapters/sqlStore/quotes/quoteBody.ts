// Why: docs/decisions/0024-stored-json-pages.md
import { deserializeSignedQuote, type SerializedSignedQuote, serializeSignedQuote } from '@firmquote/core'
import type { NewQuote } from '../../../ports/store.ts'

/** The text of a record, as it is stored and as it travels: a page of quotes is made of these texts as they are. */
export function encodeBody({ hash, quote, apr, createdAt }: NewQuote): string {
  return JSON.stringify({ hash, quote: serializeSignedQuote(quote), apr, createdAt })
}

/** The record in a stored text. What is in the database was checked on its way in. */
export function parseBody(body: string): NewQuote {
  const { quote, ...rest } = JSON.parse(body) as Omit<NewQuote, 'quote'> & { quote: SerializedSignedQuote }
  return { ...rest, quote: deserializeSignedQuote(quote) }
}
