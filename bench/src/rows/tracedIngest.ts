import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alternate } from '../compare.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { postQuotes } from '../stand/postQuotes.ts'
import { readProcessTimes, timesBetween, totalTime } from '../stand/processTimes.ts'
import { signBodies } from '../stand/signQuotes.ts'
import { serverMain, startProgram, startStand } from '../stand/startStand.ts'

/** Quotes that each side judges in a turn: enough that the first burst of spans is a small part of them. */
const turnQuotes = 16_000

/** What `POST /quotes` costs with traces on, in processor time of the server, against the same server without. */
export const tracedIngest: Row = {
  id: 'traced-ingest',
  about: 'processor time of POST /quotes with traces, against without',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const collector = await startSink()
    stack.defer(collector.stop)
    const plain = await startStand()
    stack.defer(plain.stop)
    const traced = await startProgram(serverMain, {
      RPC_URL: plain.devnet.rpcUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    stack.defer(traced.stop)
    const sides = { plain, traced }
    const costs = await alternate(['plain', 'traced'], context, async (side) => {
      const { url, pid } = sides[side]
      const bodies = await signBodies(plain, turnQuotes)
      const before = readProcessTimes({ server: pid })
      await postQuotes(url, bodies, { connections: 64 })
      return totalTime(timesBetween(before, readProcessTimes({ server: pid }), turnQuotes))
    })
    return [
      {
        what: 'processor time of POST /quotes with traces',
        rival: 'the same without',
        unit: 'x',
        figure: ratioOf(costs.traced, costs.plain),
        ...goals.tracedIngest,
        notes: [
          `with ${noteOf(costs.traced, 'µs', 1)}, without ${noteOf(costs.plain, 'µs', 1)}, ${collector.bytes()} bytes of spans`,
        ],
      },
    ]
  },
}

/** Accepts every request, and counts its bytes. */
async function startSink(): Promise<{ url: string; bytes(): number; stop(): Promise<void> }> {
  let bytes = 0
  const server = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    req.on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
