import { BaseError } from '@firmquote/core'
import { ClientError, ServiceError, StreamError } from '@firmquote/sdk'
import { DaemonError } from '@firmquote/sdk/node'
import { NotExecutableError } from './errors.ts'
import { printable } from './format/printable.ts'

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
  rpcCode?: number
  data?: unknown
}

/** Says what went wrong: the service's own words with their code, or this program's. */
export function describeError(error: unknown): DescribedError {
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
  }
}

/** The same for people: a sentence with its code, and below it what helps. */
export function renderError(described: DescribedError): string {
  const { code, message, issues = [], retryAfterMs, requestId, rfqId, remedy, rpcCode } = described
  const more = [
    ...issues.map(({ path, message: mistake }) => `${path}: ${mistake}`),
    ...(retryAfterMs === undefined ? [] : [`try again in ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...(remedy === undefined ? [] : [`to send what is missing first: ${remedy}`]),
    ...(rfqId === undefined ? [] : [`auction ${rfqId}`]),
    ...(rpcCode === undefined ? [] : [`JSON-RPC code ${rpcCode}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ]
  const head = message.split('\n').map(printable).join('\n')
  return [`firmquote: ${head} (${code})`, ...more.map((line) => `  ${printable(line)}`)].join('\n')
}

function serviceFacts({ issues, facts, retryAfterMs }: ServiceError): Partial<DescribedError> {
  return {
    ...(issues.length > 0 ? { issues } : {}),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}
