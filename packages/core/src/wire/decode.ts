import * as z from 'zod/mini'
import { InvalidInputError } from '../errors.ts'

/** Decodes a wire message to a value of type `T`. */
export type Shape<T> = z.ZodMiniType<T>

/**
 * An invalid part of a message: its path (`quote.notional`, `quotes.0.maker`, or empty for the root) and a description.
 */
export type DecodeIssue = { path: string; message: string }

/** The decoded value, or all issues found. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; issues: DecodeIssue[] }

/** Decodes an unknown value by its shape, without throwing. */
export function decode<T>(shape: Shape<T>, input: unknown): Decoded<T> {
  const result = z.safeParse(shape, input, { reportInput: true })
  return result.success ? { ok: true, value: result.data } : { ok: false, issues: issuesOf(result.error.issues) }
}

/**
 * Decodes an unknown value by its shape.
 *
 * @throws {InvalidInputError} if the value does not fit. The message lists all issues, and `path` is that of the first.
 */
export function decodeOrThrow<T>(shape: Shape<T>, input: unknown, what: string): T {
  const decoded = decode(shape, input)
  if (decoded.ok) return decoded.value
  const lines = decoded.issues.map(({ path, message }) => (path ? `${path} ${message}` : message))
  throw new InvalidInputError(`${what} is malformed: ${lines.join('; ')}.`, {
    ...(decoded.issues[0]?.path ? { path: decoded.issues[0].path } : {}),
  })
}

type Issue = z.core.$ZodIssue

function issuesOf(issues: readonly Issue[], prefix: PropertyKey[] = []): DecodeIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path]
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a known key' }))
    }
    // Report only the issues of the union member that matched the furthest.
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const [meant] = [...issue.errors].sort((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
      return meant ? issuesOf(meant, path) : []
    }
    return [{ path: path.join('.'), message: messageOf(issue) }]
  })
}

/** Returns the depth of the first issue's path. */
function depthOf(issues: readonly Issue[]): number {
  return issues[0]?.path.length ?? 0
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${article(issue.expected)} ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`
    default:
      return issue.message
  }
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}
