import { type Decoded, decode, type Shape } from '@firmquote/core/wire'
import type { Request } from 'express'
import * as z from 'zod/mini'
import { parseJson } from '../parseJson.ts'
import { invalidRequest } from './responses/problem.ts'

/**
 * Decodes a body accepted by `jsonBody`.
 *
 * @throws {ProblemError} INVALID_REQUEST if the body is not valid JSON of this shape, with the path of every error.
 */
export function decodeBody<T>(req: Request, shape: Shape<T>): T {
  let value: unknown
  try {
    const bytes: unknown = req.body
    value = parseJson(Buffer.isBuffer(bytes) ? utf8.decode(bytes) : '')
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8'
    throw invalidRequest([{ path: '', message: `is not JSON (${reason})` }], 'The body cannot be parsed')
  }
  return takeValue(decode(shape, value), 'The body is invalid')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes the query string. Each query key may appear only once. An endpoint without parameters accepts no query keys.
 *
 * @throws {ProblemError} INVALID_REQUEST with the invalid keys.
 */
export function decodeQuery<T>(req: Request, shape: Shape<T>): T {
  const values: Record<string, string> = Object.create(null)
  const repeated = new Set<string>()
  const query = queryOf(req.url)
  // Malformed escapes were rejected earlier; `URLSearchParams` would accept them literally.
  for (const [key, value] of query ? new URLSearchParams(query) : []) {
    if (key in values) repeated.add(key)
    values[key] = value
  }
  if (repeated.size > 0) {
    throw invalidRequest(
      [...repeated].map((path) => ({ path, message: 'appears more than once' })),
      'The query is invalid',
    )
  }
  return takeValue(decode(shape, values), 'The query is invalid')
}

/** The query schema for an endpoint without parameters. */
const noQuery: Shape<Record<never, never>> = z.strictObject({})

/**
 * Rejects any query string.
 *
 * @throws {ProblemError} INVALID_REQUEST with the keys.
 */
export function requireNoQuery(req: Request): void {
  if (queryOf(req.url) !== '') decodeQuery(req, noQuery)
}

/**
 * Decodes the path parameters.
 *
 * @throws {ProblemError} INVALID_REQUEST with the names of the invalid parameters.
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
        'The path is invalid',
      )
    }
    values[name] = decoded.value
  }
  return values
}

/**
 * Decodes an endpoint's headers. Absent headers are omitted.
 *
 * @throws {ProblemError} INVALID_REQUEST with the names of the invalid headers but not their values.
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
        'A header is invalid',
      )
    }
    values[name] = decoded.value
  }
  return values
}

/**
 * Rejects URLs whose percent escapes are malformed or not UTF-8.
 *
 * @throws {ProblemError} INVALID_REQUEST.
 */
export function requireReadableUrl(url: string): void {
  if (!url.includes('%')) return
  try {
    decodeURIComponent(url)
  } catch {
    throw invalidRequest([{ path: '', message: 'has a malformed percent escape' }], 'The URL is invalid')
  }
}

/** Maximum number of errors reported, so that a small request cannot produce a huge response. */
const maxErrors = 20

function takeValue<T>(decoded: Decoded<T>, what: string): T {
  if (decoded.ok) return decoded.value
  throw invalidRequest(decoded.issues.slice(0, maxErrors), what)
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}
