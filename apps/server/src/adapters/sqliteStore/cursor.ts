import { InvalidInputError, type QuoteFilters } from '@firmquote/core'
import * as z from 'zod/mini'

/** The order of a list of quotes. */
export type QuoteSort = NonNullable<QuoteFilters['sort']>

/** The last quote of a page: the next page goes on behind it. */
export type Position = { sort: QuoteSort; key: number; hash: Buffer }

const positionShape = z.tuple([
  z.enum(['rate', 'created', 'deadline']),
  z.number(),
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
])

/** Writes a position as text that means nothing to its reader. */
export function encodeCursor({ sort, key, hash }: Position): string {
  return Buffer.from(JSON.stringify([sort, key, hash.toString('hex')])).toString('base64url')
}

/**
 * Reads a cursor back.
 *
 * @throws {InvalidInputError} with path `cursor` when it is none, or belongs to a list in another order.
 */
export function decodeCursor(cursor: string, sort: QuoteSort): Position {
  const parsed = z.safeParse(positionShape, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })
  const [cursorSort, key, hash] = parsed.data
  if (cursorSort !== sort) {
    throw new InvalidInputError(`belongs to a list that is sorted by ${cursorSort}.`, { path: 'cursor' })
  }
  return { sort, key, hash: Buffer.from(hash, 'hex') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
