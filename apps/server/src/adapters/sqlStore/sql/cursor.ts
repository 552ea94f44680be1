import { InvalidInputError, type QuoteFilters } from '@firmquote/core'
import * as z from 'zod/mini'

/** A quote list's sort order. `latest` is the sort order of a maker's published quotes, including ended ones. */
export type QuoteSort = NonNullable<QuoteFilters['sort']> | 'latest'

/** The last quote on a page. */
export type PageEnd = { key: number; hash: Buffer }

const cursorShape = z.tuple([
  z.enum(['rate', 'created', 'deadline', 'latest']),
  z.number(),
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
])

/** Encodes the end of a page as an opaque string. */
export function encodeCursor(sort: QuoteSort, { key, hash }: PageEnd): string {
  return Buffer.from(JSON.stringify([sort, key, hash.toString('hex')])).toString('base64url')
}

/**
 * Decodes a cursor.
 *
 * @throws {InvalidInputError} with path `cursor` if the cursor is invalid or belongs to another sort order.
 */
export function decodeCursor(cursor: string, sort: QuoteSort): PageEnd {
  const parsed = z.safeParse(cursorShape, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })
  const [cursorSort, key, hash] = parsed.data
  if (cursorSort !== sort) {
    throw new InvalidInputError(`belongs to a list sorted by ${cursorSort}.`, { path: 'cursor' })
  }
  return { key, hash: Buffer.from(hash, 'hex') }
}

/** The status filter of a position list. */
export type PositionStatus = 'open' | 'settled' | 'all'

const positionCursorShape = z.tuple([z.enum(['open', 'settled', 'all']), z.string().check(z.regex(/^[0-9a-f]{64}$/))])

/** Encodes the last position on a page as an opaque string. */
export function encodePositionCursor(status: PositionStatus, positionId: Buffer): string {
  return Buffer.from(JSON.stringify([status, positionId.toString('hex')])).toString('base64url')
}

/**
 * Decodes a cursor of a position list.
 *
 * @throws {InvalidInputError} with path `cursor` if the cursor is invalid or belongs to another status.
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
