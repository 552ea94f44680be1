import { InvalidInputError, type QuoteFilters } from '@firmquote/core'
import * as z from 'zod/mini'

/** A quote list's sort order. `latest` is the sort order of a maker's published quotes, including ended ones. */
export type QuoteSort = Exclude<NonNullable<QuoteFilters['sort']>, 'rate'> | 'latest'

/** The last quote on a page. */
export type PageEnd = { key: number; hash: Buffer }

const cursorShape = z.tuple([
  z.enum(['created', 'deadline', 'latest']),
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

/** The last quote on a page of a list sorted by rate. `at` and `left` determine its rate, and `series` is in hex. */
export type RateEnd = { price: number; row: number; series: string; left: number; at: number }

const rateCursorShape = z.tuple([
  z.literal('rate'),
  z.number().check(z.minimum(0)),
  z.int(),
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  z.int().check(z.minimum(1)),
  z.int().check(z.minimum(0)),
])

/** Encodes the end of a page sorted by rate as an opaque string. */
export function encodeRateCursor({ price, row, series, left, at }: RateEnd): string {
  return Buffer.from(JSON.stringify(['rate', price, row, series, left, at])).toString('base64url')
}

/**
 * Decodes a cursor of a list sorted by rate.
 *
 * @throws {InvalidInputError} with path `cursor` if the cursor is invalid or belongs to another sort order.
 */
export function decodeRateCursor(cursor: string): RateEnd {
  const parsed = z.safeParse(rateCursorShape, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw new InvalidInputError('is not a cursor of a list sorted by rate.', { path: 'cursor' })
  const [, price, row, series, left, at] = parsed.data
  return { price, row, series, left, at }
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
