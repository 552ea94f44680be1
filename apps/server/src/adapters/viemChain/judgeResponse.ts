import { executionFailure } from '@firmquote/core/chain'
import { HttpRequestError, RpcRequestError } from 'viem'
import type { Body, NodeResponse } from './nodeConnection.ts'
import type { FailedAttempt } from './retryPolicy.ts'

/** An attempt's outcome: an answer or an error. With a `fault`, another attempt may succeed. */
export type Attempt = {
  answer?: unknown
  error?: unknown
  fault: FailedAttempt['fault'] | null
  retryAfterMs: number | null
}

type RpcError = { code: number; message: string }

/** Messages of geth, erigon, nethermind, besu, reth and anvil for a block that the node does not have yet. */
const missingWords =
  /(?:header|block|resource)(?: for hash| with hash)? not found|unknown block|block height is \d+ but|beyond current head/i
const limitWords = /too many requests|rate.?limit|compute units per second/i
const [limitExceeded, internalError] = [-32005, -32603]

/** Judges a node's response to a call. */
export function judgeResponse(body: Body, { status, retryAfterMs, value }: NodeResponse, url: string): Attempt {
  const error = errorOf(value)
  // A contract must not make its node look busy or behind by the words of its revert's reason.
  if (error && status !== 429 && body.method === 'eth_call' && executionFailure(error) !== null) {
    return { error: new RpcRequestError({ body, error, url }), fault: null, retryAfterMs }
  }
  if (isLimited(status, value) && !(isLogs(body) && status < 400)) {
    return { error: new HttpRequestError({ body, url, status: 429 }), fault: 'limited', retryAfterMs }
  }
  if (error) {
    const fault =
      namesBlock(body) && missingWords.test(error.message)
        ? 'missing'
        : error.code === internalError
          ? 'internal'
          : null
    return { error: new RpcRequestError({ body, error, url }), fault, retryAfterMs }
  }
  const isOk = status >= 200 && status < 300
  if (isOk && typeof value === 'object' && value !== null && 'result' in value && fits(body, value.result)) {
    return {
      answer: value.result,
      fault: isBlock(body) && namesBlock(body) && value.result === null ? 'missing' : null,
      retryAfterMs,
    }
  }
  const isRefused = status === 400 || status === 413
  const cause = new TypeError('The node did not return a result.')
  return {
    error: new HttpRequestError({ body, url, cause, ...(!isOk && { status }) }),
    fault: isRefused ? null : 'garbage',
    retryAfterMs,
  }
}

/** Whether a response says that the node limits the rate of requests. */
export function isLimited(status: number, value: unknown): boolean {
  const error = errorOf(value)
  if (status === 429) return true
  return error !== null && (error.code === 429 || error.code === limitExceeded || limitWords.test(error.message))
}

function isBlock({ method }: Body): boolean {
  return method === 'eth_getBlockByNumber'
}

/** Whether a call is not about the finalized block, which many chains do not have. */
function namesBlock({ params }: Body): boolean {
  return !(Array.isArray(params) && params[0] === 'finalized')
}

/** Whether a result has the type that its method returns. */
function fits(body: Body, result: unknown): boolean {
  if (isLogs(body)) return Array.isArray(result)
  if (!isBlock(body)) return !body.method.startsWith('eth_') || typeof result !== 'string' || result.startsWith('0x')
  const { number, hash } = (result ?? { number: '0x0', hash: '0x' }) as { number?: unknown; hash?: unknown }
  return [number, hash].every((hex) => typeof hex === 'string' && hex.startsWith('0x'))
}

function isLogs({ method }: Body): boolean {
  // Nodes use the code of a rate limit to refuse a range of blocks.
  return method === 'eth_getLogs'
}

function errorOf(value: unknown): RpcError | null {
  const error = (value as { error?: Partial<RpcError> } | null | undefined)?.error
  if (typeof error?.code !== 'number') return null
  return { ...error, code: error.code, message: String(error.message ?? '') }
}
