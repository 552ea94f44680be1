import * as http from 'node:http'
import * as https from 'node:https'
import { HttpRequestError, TimeoutError } from 'viem'

/** A JSON-RPC call without its envelope. */
export type Body = { method: string; params?: unknown }

/** A node's HTTP response. `value` is the parsed body, or undefined if the body is not JSON. */
export type NodeResponse = { status: number; retryAfterMs: number | null; value: unknown }

/** Posts one call, or several as a batch. Throws viem's `HttpRequestError` or `TimeoutError`. */
export type NodeConnection = (body: Body | Body[], timeoutMs: number) => Promise<NodeResponse>

/** Maximum response size in bytes, far above any expected response. */
const maxBytes = 256 * 1_048_576

/**
 * Creates a connection with keep-alive. viem's own transport uses `fetch`, whose streams cost a busy server several
 * times as much as the request itself. A batch's calls have the IDs 1, 2 and so on.
 */
export function createNodeConnection(rpcUrl: string): NodeConnection {
  const url = new URL(rpcUrl)
  const { Agent, request } = url.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  let requests = 0

  return (body, timeoutMs) =>
    new Promise((resolve, reject) => {
      requests += 1
      const envelope = Array.isArray(body)
        ? body.map((one, index) => ({ jsonrpc: '2.0', id: index + 1, ...one }))
        : { jsonrpc: '2.0', id: requests, ...body }
      const bytes = Buffer.from(JSON.stringify(envelope))
      const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length }
      const sent = request(url, { method: 'POST', agent, headers })
      // A blocked event loop delays the timer, not the node. Reads what has arrived before giving up.
      const timer = setTimeout(
        () => setImmediate(() => sent.destroy(new TimeoutError({ body, url: rpcUrl }))),
        timeoutMs,
      )
      const fail = (cause: Error) => {
        clearTimeout(timer)
        reject(cause instanceof TimeoutError ? cause : new HttpRequestError({ body, url: rpcUrl, cause }))
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
          resolve({
            status: response.statusCode ?? 0,
            retryAfterMs: parseRetryAfter(response.headers['retry-after']),
            value: parseJson(Buffer.concat(parts).toString()),
          })
        })
      })
      sent.end(bytes)
    })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses Retry-After, which is a number of seconds or a date. */
function parseRetryAfter(text: string | undefined): number | null {
  if (text === undefined) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
