import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Writable } from 'node:stream'
import { parentPort } from 'node:worker_threads'

// A server that sends invalid responses, in a separate thread, so that its memory is not counted as the client's. The
// first segment of the request path selects the kind of invalid response.

const piece = Buffer.alloc(262_144, 'a')
const rfqId = 'ab'.repeat(16)
const bytes32 = `0x${'22'.repeat(32)}`
const terms = {
  rfqId,
  poolId: bytes32,
  seriesKey: bytes32,
  expiry: 1_900_000_000,
  notional: '1000',
  openedAt: 1_800_000_000_000,
  closesAt: 1_800_000_015_000,
  backers: 1,
}
const started = frame('started', 0, terms)
const otherDone = { rfqId, closedAt: 1_800_000_015_000, quoteCount: 1, rejectedCount: 0, ranking: [bytes32] }

function frame(event: string, place: number, data: object): string {
  return `event: ${event}\nid: ${rfqId}:${place}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Writes the same data repeatedly until the reader disconnects. */
function forever(out: Writable, what: Buffer | string) {
  const more = () => {
    while (!out.destroyed) if (!out.write(what)) return void out.once('drain', more)
  }
  more()
}

const lies: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  redirects: ({ url = '' }, response) => response.writeHead(307, { location: url }).end(),
  endlessBody(_, response) {
    forever(response.writeHead(200, { 'content-type': 'application/json' }), piece)
  },
  endlessProblem(_, response) {
    forever(response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' }), piece)
  },
  endlessHeader(_, response) {
    const { socket } = response
    socket?.write('HTTP/1.1 200 OK\r\nx-long: ')
    if (socket) forever(socket, piece)
  },
  endlessEvent(_, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: started\ndata: ')
    forever(response, piece)
  },
  endlessEvents(_, response) {
    forever(response.writeHead(200, { 'content-type': 'text/event-stream' }), started)
  },
  doneFirst(_, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(started + frame('done', 1, otherDone))
  },
  contradictions(_, response) {
    const result = { ...terms, status: 'closed', closedAt: terms.closesAt, rejectedCount: 0, quotes: [] }
    const best = { hashes: [bytes32], notional: '1000', cost: '1' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...result, best }))
  },
  nothing() {},
  silence(_, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  },
}

const server = createServer((request, response) => {
  request.resume()
  const [, lie = ''] = request.url?.split('/') ?? []
  lies[lie]?.(request, response)
})
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  parentPort?.postMessage({ url, lies: Object.keys(lies) })
})
