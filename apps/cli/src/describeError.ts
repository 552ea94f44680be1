import { BaseError } from '@firmquote/core'
import { ClientError, ServiceError, StreamError } from '@firmquote/sdk'
import { DaemonError } from '@firmquote/sdk/node'
import type { FailureFacts } from './context.ts'
import { NotExecutableError } from './errors.ts'
import { printable } from './format/printable.ts'
import { restateRefusal } from './format/refusal.ts'
import type { Token } from './format/show.ts'
import { wordsOf } from './format/words.ts'
import { lookFirst, nextSteps } from './nextSteps.ts'
import { describeSpending, type Spending } from './spending.ts'

/** An error in JSON form. Causes are omitted, because they may contain node URLs with keys. */
export type DescribedError = {
  code: string
  message: string
  status?: number
  requestId?: string
  issues?: readonly { path: string; message: string }[]
  facts?: Readonly<Record<string, unknown>>
  retryAfterMs?: number
  rfqId?: string
  /** A command that resolves the error. */
  remedy?: string
  /** The run's spending before the error, if the command sends transactions. */
  spent?: Spending
  /** What to do next. */
  next?: string
  rpcCode?: number
  data?: unknown
}

/** Describes an error with its code and message, which may come from the service or from this program. */
export function describeError(error: unknown, { spending }: FailureFacts = {}): DescribedError {
  if (!(error instanceof BaseError)) {
    // The message may contain a secret. The name and location suffice to find the bug.
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined }
    const place = /^ +at .*$/m.exec(stack ?? '')?.[0].trim()
    return { code: 'INTERNAL', message: `Unexpected error: ${name}${place ? `, ${place}` : ''}.` }
  }
  return {
    code: error.code,
    message: error.details === undefined ? error.shortMessage : `${error.shortMessage} ${error.details}`,
    ...(error instanceof ClientError && error.status !== undefined ? { status: error.status } : {}),
    ...(error instanceof ClientError && error.requestId !== undefined ? { requestId: error.requestId } : {}),
    ...(error instanceof ServiceError ? serviceFacts(error) : {}),
    ...(error instanceof StreamError && error.rfqId !== null ? { rfqId: error.rfqId } : {}),
    ...(error instanceof NotExecutableError && error.remedy !== undefined ? { remedy: error.remedy } : {}),
    ...(error instanceof DaemonError ? { rpcCode: error.rpcCode, data: error.data } : {}),
    ...(spending ? { spent: spending } : {}),
    ...nextOf(error, spending),
  }
}

/** Renders an error as text: a sentence with its code, amounts in `token` and times as dates, then hints. */
export function renderError(described: DescribedError, token?: Token): string {
  const {
    code,
    message,
    issues = [],
    facts = {},
    retryAfterMs,
    requestId,
    rfqId,
    remedy,
    rpcCode,
    spent,
    next,
  } = described
  const more = [
    ...issues.map(({ path, message: mistake }) => `${path}: ${mistake}`),
    ...(retryAfterMs === undefined ? [] : [`try again in ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...(remedy === undefined ? [] : [`to grant the missing permissions: ${remedy}`]),
    ...(spent === undefined ? [] : [`spent: ${describeSpending(spent, token)}`]),
    ...(next === undefined ? [] : [`next: ${next}`]),
    ...(rfqId === undefined ? [] : [`auction ${rfqId}`]),
    ...(rpcCode === undefined ? [] : [`JSON-RPC code ${rpcCode}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ]
  const said = restateRefusal(code, facts, wordsOf(token)) ?? message
  const head = said.split('\n').map(printable).join('\n')
  return [`firmquote: ${head} (${code})`, ...more.map((line) => `  ${printable(line)}`)].join('\n')
}

function serviceFacts({ issues, facts, retryAfterMs }: ServiceError): Partial<DescribedError> {
  return {
    ...(issues.length > 0 ? { issues } : {}),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** Returns what to do next. The hint for a transaction with an unknown outcome takes priority over other hints. */
function nextOf(error: BaseError, spending: Spending | undefined): { next?: string } {
  if (spending && spending.unseen > 0) return { next: lookFirst }
  if (error instanceof NotExecutableError && error.next !== undefined) return { next: error.next }
  if (error instanceof ServiceError && Object.hasOwn(nextSteps, error.code)) {
    return { next: nextSteps[error.code as keyof typeof nextSteps] }
  }
  return {}
}
