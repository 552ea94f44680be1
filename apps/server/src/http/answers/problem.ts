import { BaseError, type BaseErrorOptions, type Code, InvalidInputError, type Problem } from '@firmquote/core'
import { describeFailure } from '../../app/failure.ts'
import { problemStatus, problemTitle } from './problemStatus.ts'

/** An error on its way to whoever asked. */
export type ProblemFacts = {
  code: Code
  detail: string
  /** Where the code's own status does not fit. */
  status?: number
  errors?: { path: string; message: string }[]
  details?: Record<string, unknown>
  headers?: Record<string, string>
}

/** The answer to the request is an error. Its code is one of core's `codes`. */
export class ProblemError extends BaseError {
  override name = 'ProblemError'
  readonly facts: ProblemFacts

  constructor(facts: ProblemFacts, options: BaseErrorOptions = {}) {
    super(facts.code, facts.detail, options)
    this.facts = facts
  }
}

/** The answer to a request with mistakes in it: 400 and where they are. */
export function invalidRequest(errors: { path: string; message: string }[], what: string): ProblemError {
  const lines = errors.map(({ path, message }) => (path ? `${path} ${message}` : message))
  return new ProblemError({ code: 'INVALID_REQUEST', detail: `${what}: ${lines.join('; ')}.`, errors })
}

/** Writes an error as RFC 9457 asks. */
export function formatProblem(facts: ProblemFacts, requestId: string): Problem {
  return {
    type: `urn:firmquote:problem:${facts.code}`,
    title: problemTitle[facts.code],
    status: facts.status ?? problemStatus[facts.code],
    detail: facts.detail,
    code: facts.code,
    requestId,
    ...(facts.errors && { errors: facts.errors }),
    ...(facts.details && { details: facts.details }),
  }
}

/** Headers that go with an error: its own, and when to come back. */
export function problemHeaders(facts: ProblemFacts): Record<string, string> {
  const status = facts.status ?? problemStatus[facts.code]
  return {
    ...((status === 429 || status === 503) && { 'Retry-After': String(defaultRetryAfterSeconds) }),
    ...facts.headers,
  }
}

const defaultRetryAfterSeconds = 5

/** Reads any thrown value as the error that is answered; what nobody foresaw is an opaque `INTERNAL`. */
export function problemOf(error: unknown): ProblemFacts {
  if (error instanceof ProblemError) return error.facts
  if (error instanceof InvalidInputError) {
    return invalidRequest([{ path: error.path ?? '', message: mistakeOf(error) }], 'The request has a mistake').facts
  }
  const { code, message } = describeFailure(error)
  return { code, detail: message }
}

function mistakeOf({ shortMessage, path }: InvalidInputError): string {
  const prefix = `${path}: `
  return (shortMessage.startsWith(prefix) ? shortMessage.slice(prefix.length) : shortMessage).replace(/\.$/, '')
}
