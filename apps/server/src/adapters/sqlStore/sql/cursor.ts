import { InvalidInputError, type QuoteFilters } from '@firmquote/core'
import * as z from 'zod/mini'

/** The order of a list of quotes; `latest` is that of one maker's, which may have ended. */
export type QuoteSort = NonNullable<QuoteFilters['sort']> | 'latest'

/** The last quote of a page: the next page goes on behind it. */
export type PageEnd = { key: number; hash: Buffer }

const cursorShape = z.tuple([
  z.enum(['rate', 'created', 'deadline', 'latest']),
  z.number(),
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
])

/** Encodes where a page ended as opaque text. */
export function encodeCursor(sort: QuoteSort, { key, hash }: PageEnd): string {
  return Buffer.from(JSON.stringify([sort, key, hash.toString('hex')])).toString('base64url')
}

/**
 * Decodes a cursor.
 *
 * @throws {InvalidInputError} with path `cursor` when it is none, or belongs to a list in another order.
 */
export function decodeCursor(cursor: string, sort: QuoteSort): PageEnd {
  const parsed = z.safeParse(cursorShape, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })
  const [cursorSort, key, hash] = parsed.data
  if (cursorSort !== sort) {
    throw new InvalidInputError(`belongs to a list that is sorted by ${cursorSort}.`, { path: 'cursor' })
  }
  return { key, hash: Buffer.from(hash, 'hex') }
}

/** Which positions a page is of. */
export type PositionStatus = 'open' | 'settled' | 'all'

const positionCursorShape = z.tuple([z.enum(['open', 'settled', 'all']), z.string().check(z.regex(/^[0-9a-f]{64}$/))])

/** Encodes the last position of a page as opaque text. */
export function encodePositionCursor(status: PositionStatus, positionId: Buffer): string {
  return Buffer.from(JSON.stringify([status, positionId.toString('hex')])).toString('base64url')
}

/**
 * Decodes the cursor of a page of positions.
 *
 * @throws {InvalidInputError} with path `cursor` when it is none, or belongs to positions of another status.
 */
export function decodePositionCursor(cursor: string, status: PositionStatus): Buffer {
  const parsed = z.safeParse(positionCursorShape, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })
  const [cursorStatus, positionId] = parsed.data
  if (cursorStatus !== status) {
    throw new InvalidInputError(`belongs to a list of positions with the status ${cursorStatus}.`, { path: 'cursor' })
  }
  return Buffer.from(positionId, 'hex')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
