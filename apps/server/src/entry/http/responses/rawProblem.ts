import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { formatProblem, type ProblemFacts, problemHeaders } from './problem.ts'

/**
 * Sends an error response on a raw connection and closes it. Used for refused upgrades and when there is no parsed
 * request.
 */
export function endWithProblem(socket: Duplex, facts: ProblemFacts): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const problem = formatProblem(facts, randomUUID())
  const body = JSON.stringify(problem)
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'X-Request-Id': problem.requestId,
    ...problemHeaders(facts),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  )
}

/** The error for bytes that Node.js could not parse as a request. */
export function problemOfConnection(code: string | undefined): ProblemFacts {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'INVALID_REQUEST', status: 431, detail: 'The request headers are too large.' }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'PAYLOAD_TOO_LARGE', detail: 'The chunk extensions of the request are too large.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'INVALID_REQUEST', status: 408, detail: 'The request did not arrive in time.' }
    default:
      return { code: 'INVALID_REQUEST', detail: 'The request is not valid HTTP.' }
  }
}
