import {
  BaseError,
  type BaseErrorOptions,
  type Code,
  describeRejection,
  InvalidInputError,
  type Problem,
  type Rejection,
} from '@firmquote/core'
import { problemDocs, problems } from '@firmquote/core/endpoints'
import { rejectionDetails } from '@firmquote/core/protocol'
import { describeFailure } from '../../../app/failure.ts'

/** An error response's content. */
export type ProblemFacts = {
  code: Code
  detail: string
  /** Overrides the code's status. */
  status?: number
  errors?: { path: string; message: string }[]
  details?: Record<string, unknown>
  headers?: Record<string, string>
}

/** An error response. The error's code is one of core's `codes`. */
export class ProblemError extends BaseError {
  override name = 'ProblemError'
  readonly facts: ProblemFacts

  constructor(facts: ProblemFacts, options: BaseErrorOptions = {}) {
    super(facts.code, facts.detail, options)
    this.facts = facts
  }
}

/** A rejection's error response. `retryAfterSeconds` becomes the `Retry-After` header. */
export function refusal(rejection: Rejection, retryAfterSeconds?: number): ProblemError {
  const details = rejectionDetails(rejection)
  return new ProblemError({
    code: rejection.code,
    detail: describeRejection(rejection),
    ...(Object.keys(details).length > 0 && { details }),
    ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
}

/** The error response to an invalid request: status 400, with the path of each error. */
export function invalidRequest(errors: { path: string; message: string }[], what: string): ProblemError {
  const lines = errors.map(({ path, message }) => (path ? `${path} ${message}` : message))
  return new ProblemError({ code: 'INVALID_REQUEST', detail: `${what}: ${lines.join('; ')}.`, errors })
}

/** Formats an error response body (RFC 9457). */
export function formatProblem(facts: ProblemFacts, requestId: string): Problem {
  const { status, title } = problems[facts.code]
  return {
    type: `urn:firmquote:problem:${facts.code}`,
    title,
    status: facts.status ?? status,
    detail: facts.detail,
    code: facts.code,
    requestId,
    docs: problemDocs(facts.code),
    ...(facts.errors && { errors: facts.errors }),
    ...(facts.details && { details: facts.details }),
  }
}

/** Error response headers, including `Retry-After`. */
export function problemHeaders(facts: ProblemFacts): Record<string, string> {
  const status = facts.status ?? problems[facts.code].status
  return {
    ...((status === 429 || status === 503) && { 'Retry-After': String(defaultRetryAfterSeconds) }),
    ...facts.headers,
  }
}

const defaultRetryAfterSeconds = 5

/** Creates the error response for any thrown value. Unknown errors become `INTERNAL`, without their message. */
export function problemOf(error: unknown): ProblemFacts {
  if (error instanceof ProblemError) return error.facts
  if (error instanceof InvalidInputError) {
    return invalidRequest([{ path: error.path ?? '', message: mistakeOf(error) }], 'The request is invalid').facts
  }
  const { code, message } = describeFailure(error)
  return { code, detail: message }
}

function mistakeOf({ shortMessage, path }: InvalidInputError): string {
  const prefix = `${path}: `
  return (shortMessage.startsWith(prefix) ? shortMessage.slice(prefix.length) : shortMessage).replace(/\.$/, '')
}
