import { createTransport, HttpRequestError, type Transport } from 'viem'
import { createCallBatches } from './callBatches.ts'
import { budgetEnd } from './callBudget.ts'
import { type Attempt, isLimited, judgeResponse } from './judgeResponse.ts'
import { type Body, createNodeConnection } from './nodeConnection.ts'
import { type NodeHealth, pause } from './nodeHealth.ts'
import { type NodeFault, pauseBeforeRetry } from './retryPolicy.ts'

/** Options for {@link createNodeTransport}. Times are in milliseconds. */
export type NodeTransportOptions = {
  /** Maximum time per attempt, except for logs. The timeout in use follows the node's latency. */
  timeoutMs: number
  /** Maximum time per call of `eth_getLogs`, which has its own budget. */
  logsTimeoutMs: number
  /** Maximum time per call, including retries, for calls outside of a budget. */
  budgetMs: number
  health: NodeHealth
  /** Called for each failed call, after its retries. */
  onFailure(error: unknown): void
}

/** The budget of a read and the node's health, as properties of a client's `transport`. */
export type NodeTransportFacts = Pick<NodeTransportOptions, 'budgetMs' | 'health'>

/**
 * Creates a JSON-RPC transport that retries with jitter inside the read's budget and backs off while the node fails. It
 * throws the same errors as viem's transport.
 */
export function createNodeTransport(
  rpcUrl: string,
  options: NodeTransportOptions,
): Transport<'http', NodeTransportFacts> {
  const { timeoutMs, logsTimeoutMs, budgetMs, health, onFailure } = options
  const post = createNodeConnection(rpcUrl)
  /** The highest number that the node has returned for its latest block. */
  let highest = -1n

  /** Makes attempts until one succeeds or the next one would not fit into the budget. */
  const persist = async <T extends Attempt>(method: string, send: (ms: number) => Promise<T>): Promise<T> => {
    const isLogs = method === 'eth_getLogs'
    const maxMs = isLogs ? logsTimeoutMs : timeoutMs
    const startedAt = performance.now()
    const end = isLogs ? startedAt + logsTimeoutMs : budgetEnd(budgetMs)
    const attempts = await health.admit(end - startedAt)
    if (attempts === 0) throw new HttpRequestError({ body: { method }, url: rpcUrl, details: 'The node is failing.' })
    for (let earlier = 0; ; earlier += 1) {
      const at = performance.now()
      // A node that suddenly needs longer than before gets more time with each attempt.
      const ms = Math.min((isLogs ? maxMs : health.timeoutMs(method, maxMs)) * 2 ** earlier, maxMs, end - at)
      const sent = await send(Math.max(1, ms))
      const now = performance.now()
      health.measured(method, now - at)
      const { fault, retryAfterMs } = sent
      const waitMs =
        fault === null || earlier + 1 >= attempts
          ? null
          : pauseBeforeRetry({ fault, earlier, leftMs: end - now, retryAfterMs, random: Math.random() })
      if (waitMs === null) {
        health.ended(isNodeFault(fault) ? fault : null, retryAfterMs)
        return sent
      }
      await pause(waitMs)
    }
  }

  const attempt = async (body: Body, ms: number): Promise<Attempt> => {
    try {
      return judgeResponse(body, await post(body, ms), rpcUrl)
    } catch (error) {
      return { error, fault: 'silent', retryAfterMs: null }
    }
  }

  const askOne = (body: Body) => persist(body.method, (ms) => attempt(body, ms))

  /** Asks for the latest block. A balancer may choose a node that is behind; a later attempt may reach another one. */
  const askLatest = async (body: Body): Promise<Attempt> => {
    const asked = await persist(body.method, async (ms) => {
      const answered = await attempt(body, ms)
      const number = numberOf(answered.answer)
      return number !== null && number < highest ? { ...answered, fault: 'missing' as const } : answered
    })
    highest = numberOf(asked.answer) ?? highest
    return asked
  }

  const askBatched = createCallBatches({
    askOne,
    askTogether: (bodies) =>
      persist('batch', async (ms) => {
        try {
          const response = await post(bodies, ms)
          const { status, value, retryAfterMs } = response
          if (Array.isArray(value)) {
            const answers = new Map(value.map((one) => [Number(one?.id), one]))
            const each = bodies.map((body, index) =>
              judgeResponse(body, { ...response, value: answers.get(index + 1) }, rpcUrl),
            )
            // Calls without an answer are sent again, unless no call has one.
            const isLimited = each.every(({ fault }) => fault === 'limited')
            return { each, fault: isLimited ? 'limited' : null, retryAfterMs }
          }
          const whole = judgeResponse({ method: 'batch' }, response, rpcUrl)
          const isRefused = !isLimited(status, value) && (value !== undefined || (status >= 400 && status < 500))
          return isRefused ? { each: null, fault: null, retryAfterMs } : { ...whole, each: null }
        } catch (error) {
          return { each: null, error, fault: 'silent', retryAfterMs: null }
        }
      }),
  })

  const ask = (body: Body): Promise<Attempt> => {
    if (body.method === 'eth_getCode') return askBatched(body)
    const [block] = body.method === 'eth_getBlockByNumber' && Array.isArray(body.params) ? body.params : []
    if (block === 'latest') return askLatest(body)
    return typeof block === 'string' && block.startsWith('0x') ? askBatched(body) : askOne(body)
  }

  const request = async (body: Body) => {
    try {
      const { error, answer } = await ask(body)
      if (error !== undefined) throw error
      return answer as never
    } catch (error) {
      onFailure(error)
      throw error
    }
  }

  const config = { key: 'http', name: 'HTTP JSON-RPC', type: 'http', retryCount: 0, timeout: timeoutMs } as const
  return () => createTransport({ ...config, request }, { budgetMs, health })
}

function isNodeFault(fault: Attempt['fault']): fault is NodeFault {
  return fault === 'silent' || fault === 'limited' || fault === 'garbage'
}

function numberOf(block: unknown): bigint | null {
  const number = (block as { number?: unknown } | null | undefined)?.number
  return typeof number === 'string' && /^0x[0-9a-f]+$/i.test(number) ? BigInt(number) : null
}
