import * as http from 'node:http'
import * as https from 'node:https'
import { createTransport, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem'

/** Options for {@link createNodeTransport}. Times are in milliseconds. */
export type NodeTransportOptions = { timeoutMs: number; retryCount: number; retryDelayMs: number }

type Body = { method: string; params?: unknown }
type Answer = { result?: unknown; error?: { code: number; message: string } }

/** Maximum response size in bytes, far above any expected response. */
const maxBytes = 256 * 1_048_576

/**
 * Creates a JSON-RPC transport with keep-alive connections. viem's own transport uses `fetch`, whose streams cost a
 * busy server several times as much as the request itself. The transport throws the same errors as viem's transport.
 */
export function createNodeTransport(rpcUrl: string, options: NodeTransportOptions): Transport<'http'> {
  const { timeoutMs, retryCount, retryDelayMs: retryDelay } = options
  const url = new URL(rpcUrl)
  const { Agent, request } = url.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  let requests = 0

  const post = (body: Body) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      requests += 1
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: requests, ...body }))
      const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length }
      const sent = request(url, { method: 'POST', agent, headers })
      const timer = setTimeout(() => sent.destroy(new TimeoutError({ body, url: rpcUrl })), timeoutMs)
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(error)
      }
      sent.on('error', fail)
      sent.on('response', (response) => {
        const parts: Buffer[] = []
        let length = 0
        response.on('data', (part: Buffer) => {
          parts.push(part)
          length += part.length
          if (length > maxBytes) response.destroy(new RangeError('The response is too large.'))
        })
        response.on('error', fail)
        response.on('end', () => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() })
        })
      })
      sent.end(bytes)
    })

  const ask = async (body: Body): Promise<Answer> => {
    // viem uses the status to decide whether to retry. A success status without a result is treated as a broken
    // connection.
    let refusal: { status?: number } = {}
    try {
      const { status, text } = await post(body)
      const isOk = status >= 200 && status < 300
      if (!isOk) refusal = { status }
      const value = JSON.parse(text) as Answer | null
      if (value !== null && (typeof value.error?.code === 'number' || isOk)) return value
      throw new TypeError('The node did not return a result.')
    } catch (cause) {
      if (cause instanceof TimeoutError) throw cause
      throw new HttpRequestError({ body, url: rpcUrl, ...(cause instanceof Error && { cause }), ...refusal })
    }
  }

  return () =>
    createTransport({
      key: 'http',
      name: 'HTTP JSON-RPC',
      type: 'http',
      retryCount,
      retryDelay,
      timeout: timeoutMs,
      async request(body) {
        const { error, result } = await ask(body)
        if (error) throw new RpcRequestError({ body, error, url: rpcUrl })
        return result as never
      },
    })
}
