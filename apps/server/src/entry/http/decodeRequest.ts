import { type Decoded, decode, type Shape } from '@firmquote/core/wire'
import type { Request } from 'express'
import * as z from 'zod/mini'
import { invalidRequest } from './responses/problem.ts'

/**
 * Decodes a body that `jsonBody` has let in.
 *
 * @throws {ProblemError} INVALID_REQUEST when it is not JSON or does not fit, with the path of every mistake.
 */
export function decodeBody<T>(req: Request, shape: Shape<T>): T {
  let value: unknown
  try {
    const bytes: unknown = req.body
    value = JSON.parse(Buffer.isBuffer(bytes) ? utf8.decode(bytes) : '')
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8'
    throw invalidRequest([{ path: '', message: `is not JSON (${reason})` }], 'The body cannot be read')
  }
  return takeValue(decode(shape, value), 'The body does not fit')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes the query string. Every key may come once; an endpoint without a query takes no key.
 *
 * @throws {ProblemError} INVALID_REQUEST with the keys that are wrong.
 */
export function decodeQuery<T>(req: Request, shape: Shape<T>): T {
  const values: Record<string, string> = Object.create(null)
  const repeated = new Set<string>()
  const query = queryOf(req.url)
  // Malformed escapes have been refused before: URLSearchParams would take them as they stand.
  for (const [key, value] of query ? new URLSearchParams(query) : []) {
    if (key in values) repeated.add(key)
    values[key] = value
  }
  if (repeated.size > 0) {
    throw invalidRequest(
      [...repeated].map((path) => ({ path, message: 'is given more than once' })),
      'The query does not fit',
    )
  }
  return takeValue(decode(shape, values), 'The query does not fit')
}

/** The query of an endpoint that has none. */
const noQuery: Shape<Record<never, never>> = z.strictObject({})

/**
 * Refuses every key of a query string.
 *
 * @throws {ProblemError} INVALID_REQUEST with the keys.
 */
export function requireNoQuery(req: Request): void {
  if (queryOf(req.url) !== '') decodeQuery(req, noQuery)
}

/**
 * Decodes the parameters of the path.
 *
 * @throws {ProblemError} INVALID_REQUEST with the names of those that are wrong.
 */
export function decodeParameters(
  req: Request,
  shapes: Readonly<Record<string, Shape<unknown>>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in shapes) {
    const decoded = decode(shapes[name] as Shape<unknown>, req.params[name])
    if (!decoded.ok) {
      throw invalidRequest(
        decoded.issues.map(({ message }) => ({ path: name, message })),
        'The path does not fit',
      )
    }
    values[name] = decoded.value
  }
  return values
}

/**
 * Decodes the headers that an endpoint knows; one that was not sent is left out.
 *
 * @throws {ProblemError} INVALID_REQUEST with the names of those that are wrong; their values are not repeated.
 */
export function decodeHeaders(
  req: Request,
  headers: Readonly<Record<string, { readonly shape: Shape<unknown> }>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, { shape }] of Object.entries(headers)) {
    const text = req.get(name)
    if (text === undefined) continue
    const decoded = decode(shape, text)
    if (!decoded.ok) {
      throw invalidRequest(
        decoded.issues.map(({ message }) => ({ path: name, message })),
        'A header does not fit',
      )
    }
    values[name] = decoded.value
  }
  return values
}

/**
 * Refuses a URL whose percent escapes are malformed or not UTF-8.
 *
 * @throws {ProblemError} INVALID_REQUEST.
 */
export function requireReadableUrl(url: string): void {
  if (!url.includes('%')) return
  try {
    decodeURIComponent(url)
  } catch {
    throw invalidRequest([{ path: '', message: 'has a malformed percent escape' }], 'The URL cannot be read')
  }
}

/** A small request must not get a huge answer. */
const mostMistakes = 20

function takeValue<T>(decoded: Decoded<T>, what: string): T {
  if (decoded.ok) return decoded.value
  throw invalidRequest(decoded.issues.slice(0, mostMistakes), what)
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}
