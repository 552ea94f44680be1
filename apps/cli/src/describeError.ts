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

/** An error as machines get it. Causes stay behind: they may hold addresses of nodes, with keys in them. */
export type DescribedError = {
  code: string
  message: string
  status?: number
  requestId?: string
  issues?: readonly { path: string; message: string }[]
  facts?: Readonly<Record<string, unknown>>
  retryAfterMs?: number
  rfqId?: string
  /** A command that resolves it. */
  remedy?: string
  /** What the run had spent before it; only where it was to send transactions. */
  spent?: Spending
  /** What to do now. */
  next?: string
  rpcCode?: number
  data?: unknown
}

/** Says what went wrong: the service's own words with their code, or this program's. */
export function describeError(error: unknown, { spending }: FailureFacts = {}): DescribedError {
  if (!(error instanceof BaseError)) {
    // Its text may hold a secret; its name and place are enough to find the defect.
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined }
    const place = /^ +at .*$/m.exec(stack ?? '')?.[0].trim()
    return { code: 'INTERNAL', message: `Something unforeseen went wrong: ${name}${place ? `, ${place}` : ''}.` }
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

/** The same for people: a sentence with its code, amounts in `token` and times as dates, and below it what helps. */
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
    ...(remedy === undefined ? [] : [`to send what is missing first: ${remedy}`]),
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

/** What a transaction has come to that was not seen is looked at before anything else. */
function nextOf(error: BaseError, spending: Spending | undefined): { next?: string } {
  if (spending && spending.unseen > 0) return { next: lookFirst }
  if (error instanceof NotExecutableError && error.next !== undefined) return { next: error.next }
  if (error instanceof ServiceError && Object.hasOwn(nextSteps, error.code)) {
    return { next: nextSteps[error.code as keyof typeof nextSteps] }
  }
  return {}
}
