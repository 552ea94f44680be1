import { ChainUnavailableError } from '@firmquote/core'
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'

/** What went wrong with a request to the node. */
export type RpcFailureKind =
  /** There was no answer, or not in time. */
  | 'silent'
  /** The node answered with an error of its own. */
  | 'refused'

/** Tells a node that refuses a request from one that does not answer. */
export function rpcFailureKind(error: unknown): RpcFailureKind {
  const found = innermost(error)
  if (found instanceof RpcRequestError) return 'refused'
  if (found instanceof HttpRequestError) return found.status === 400 || found.status === 413 ? 'refused' : 'silent'
  return found instanceof BaseError && !(found instanceof TimeoutError) ? 'refused' : 'silent'
}

/**
 * The failure in words that may be logged. What viem throws names the node's whole URL, which often holds a key, so
 * nothing of it is kept but its short message and the node's own.
 */
export function chainUnavailable(error: unknown): ChainUnavailableError {
  const found = innermost(error)
  if (!(found instanceof BaseError)) {
    return new ChainUnavailableError('The chain could not be read.', { details: 'The answer could not be understood.' })
  }
  const status = found instanceof HttpRequestError && found.status !== undefined ? ` (HTTP ${found.status})` : ''
  const reason = found instanceof RpcRequestError ? withoutUrls(found.details) : found.shortMessage
  return new ChainUnavailableError('The chain could not be read.', { details: `${withoutUrls(reason)}${status}` })
}

/** What the node itself has said against a request; null when it has not answered. */
export function refusalOf(error: unknown): { code: number; message: string; data?: unknown } | null {
  const found = innermost(error)
  if (!(found instanceof RpcRequestError)) return null
  const { code, details, data } = found
  return { code, message: withoutUrls(details), ...(data !== undefined && { data }) }
}

function withoutUrls(text: string): string {
  return text.replaceAll(/\b(?:https?|wss?):\/\/\S+/gi, '<url>')
}

/** Under the wrappers of viem's actions lies what the transport threw. */
function innermost(error: unknown): unknown {
  let found: unknown = error
  for (let depth = 0; depth < 10; depth += 1) {
    if (found instanceof RpcRequestError || found instanceof HttpRequestError || found instanceof TimeoutError) break
    const cause = found instanceof Error ? found.cause : undefined
    if (!(cause instanceof Error)) break
    found = cause
  }
  return found
}
