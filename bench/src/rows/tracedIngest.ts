import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inRounds } from '../compare.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { postQuotes } from '../stand/postQuotes.ts'
import { readProcessTimes } from '../stand/processTimes.ts'
import { signBodies } from '../stand/signQuotes.ts'
import { serverMain, startProgram, startStand } from '../stand/startStand.ts'

/** Quotes that each side judges in a turn, which lasts some seconds: the burst of spans is a part of it. */
const turnQuotes = 7_000
const turnsPerRound = 2

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
    const sides = [
      { side: 'plain', ...plain },
      { side: 'traced', ...traced },
    ] as const
    const rounds = await inRounds(context, async () => {
      const used = { plain: 0, traced: 0 }
      for (let turn = 0; turn < turnsPerRound; turn += 1) {
        const bodies = await signBodies(plain, turnQuotes)
        for (const { side, url, pid } of turn % 2 === 0 ? sides : sides.toReversed()) {
          const read = () => readProcessTimes({ server: pid })['server'] ?? Number.NaN
          const before = read()
          await postQuotes(url, bodies, { connections: 64 })
          used[side] += (read() - before) / (turnQuotes * turnsPerRound)
        }
      }
      return used
    })
    const [withTraces, without] = [rounds.map((used) => used.traced), rounds.map((used) => used.plain)]
    return [
      {
        what: 'processor time of POST /quotes with traces',
        rival: 'the same without',
        unit: 'x',
        figure: ratioOf(withTraces, without),
        ...goals.tracedIngest,
        notes: [
          `with ${noteOf(withTraces, 'µs', 1)}, without ${noteOf(without, 'µs', 1)}, ${collector.bytes()} bytes of spans`,
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
