import { ChainUnavailableError } from '@firmquote/core'
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'

/** How a request to the node failed. */
export type RpcFailureKind =
  /** The node did not respond, or not in time. */
  | 'silent'
  /** The node returned an error. */
  | 'refused'

/** Distinguishes the node's refusal from a missing response. */
export function rpcFailureKind(error: unknown): RpcFailureKind {
  const found = innermost(error)
  if (found instanceof RpcRequestError) return 'refused'
  if (found instanceof HttpRequestError) return found.status === 400 || found.status === 413 ? 'refused' : 'silent'
  return found instanceof BaseError && !(found instanceof TimeoutError) ? 'refused' : 'silent'
}

/** Whether a read failed because an answer could not be decoded. Viem's own error classes have their own names. */
export function isGarbage(error: unknown): boolean {
  const found = innermost(error)
  if (found instanceof ChainUnavailableError) return false
  return !(found instanceof BaseError) || found.name === 'BaseError'
}

/**
 * Describes a failure without revealing secrets. viem's errors contain the node's URL, which often includes a key, so
 * only the short message and the node's own message are used.
 */
export function chainUnavailable(error: unknown): ChainUnavailableError {
  const found = innermost(error)
  if (!(found instanceof BaseError)) {
    return new ChainUnavailableError('Failed to read the chain.', { details: 'The response was invalid.' })
  }
  const status = found instanceof HttpRequestError && found.status !== undefined ? ` (HTTP ${found.status})` : ''
  const reason = found instanceof RpcRequestError ? withoutUrls(found.details) : found.shortMessage
  return new ChainUnavailableError('Failed to read the chain.', { details: `${withoutUrls(reason)}${status}` })
}

/** Returns the node's error response, or null if it did not respond. */
export function refusalOf(error: unknown): { code: number; message: string; data?: unknown } | null {
  const found = innermost(error)
  if (!(found instanceof RpcRequestError)) return null
  const { code, details, data } = found
  return { code, message: withoutUrls(details), ...(data !== undefined && { data }) }
}

function withoutUrls(text: string): string {
  return text.replaceAll(/\b(?:https?|wss?):\/\/\S+/gi, '<url>')
}

/** The transport's error, without the wrappers that viem's actions add. */
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
