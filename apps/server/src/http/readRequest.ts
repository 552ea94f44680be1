import { type Decoded, decode, type Shape } from '@firmquote/core/wire'
import type { Request } from 'express'
import { invalidRequest } from './answers/problem.ts'

/**
 * Reads a body that `takeJson` has let in.
 *
 * @throws {ProblemError} INVALID_REQUEST when it is not JSON or does not fit, with the path of every mistake.
 */
export function readBody<T>(req: Request, shape: Shape<T>): T {
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
 * Reads the query string. Every key may come once.
 *
 * @throws {ProblemError} INVALID_REQUEST with the keys that are wrong.
 */
export function readQuery<T>(req: Request, shape: Shape<T>): T {
  const values: Record<string, string> = Object.create(null)
  const repeated: string[] = []
  const query = queryOf(req.url)
  // Malformed escapes have been refused before: URLSearchParams would take them as they stand.
  for (const [key, value] of query ? new URLSearchParams(query) : []) {
    if (key in values) repeated.push(key)
    values[key] = value
  }
  if (repeated.length > 0) {
    throw invalidRequest(
      [...new Set(repeated)].map((path) => ({ path, message: 'is given more than once' })),
      'The query does not fit',
    )
  }
  return takeValue(decode(shape, values), 'The query does not fit')
}

/**
 * Reads one part of the path.
 *
 * @throws {ProblemError} INVALID_REQUEST with the parameter's name.
 */
export function readParameter<T>(req: Request, name: string, shape: Shape<T>): T {
  const decoded = decode(shape, req.params[name])
  if (decoded.ok) return decoded.value
  throw invalidRequest(
    decoded.issues.map(({ message }) => ({ path: name, message })),
    'The path does not fit',
  )
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
