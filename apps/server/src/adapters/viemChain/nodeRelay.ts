import type { NodeRelay } from '../../ports/nodeRelay.ts'
import { createNodeTransport } from './nodeTransport.ts'
import { refusalOf } from './rpcFailure.ts'

/** How long the node may take, in milliseconds. */
const timeoutMs = 10_000

/** Passes requests on to a node. Each goes out once: a transaction that is sent again may be a second one. */
export function createNodeRelay(rpcUrl: string): NodeRelay {
  const { request } = createNodeTransport(rpcUrl, { timeoutMs, retryCount: 0, retryDelayMs: 0 })({})
  return async (call) => {
    try {
      return { result: await request(call) }
    } catch (error) {
      const refusal = refusalOf(error)
      return refusal && { error: refusal }
    }
  }
}
