import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { readProcessTimes, timesBetween, totalTime } from '../stand/processTimes.ts'
import { sendRequests } from '../stand/sendRequests.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { startOnDatabase } from '../stand/startOnDatabase.ts'
import { roomySettings, serverMain, startStand } from '../stand/startStand.ts'

/** Each side judges so many quotes in a turn, as many times as there are rounds: some seconds, so that the burst of spans is a part of it. */
const turnQuotes = 16_000
const turnsPerRound = 2

/** What `POST /quotes` costs with traces on, in processor time of the server, against the same server without. */
export const tracedIngest: Row = {
  id: 'traced-ingest',
  about: 'processor time of POST /quotes with traces, against without',
  async run({ rounds, progress }) {
    await using stack = new AsyncDisposableStack()
    const collector = await startSink()
    stack.defer(collector.stop)
    const plain = await startStand()
    stack.defer(plain.stop)
    const traced = await startOnDatabase(serverMain, (directory) => ({
      ...{ ...roomySettings, PORT: '0', RPC_URL: plain.devnet.rpcUrl, DATA_DIR: directory },
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }))
    stack.defer(traced.stop)
    const costs = { plain: [] as number[], traced: [] as number[] }
    const sides = [
      { side: 'plain', ...plain },
      { side: 'traced', ...traced },
    ] as const
    // The first round warms both up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      progress('signing quotes')
      const bodies = quoteBodies(await signQuotes(plain, turnQuotes * turnsPerRound))
      const used = { plain: 0, traced: 0 }
      for (let turn = 0; turn < turnsPerRound; turn += 1) {
        const some = bodies.slice(turn * turnQuotes, (turn + 1) * turnQuotes)
        // Who comes first in a turn comes second in the next.
        for (const { side, url, pid } of turn % 2 === 0 ? sides : sides.toReversed()) {
          const read = () => readProcessTimes([{ name: side, pid }])
          const before = read()
          await sendRequests({ url, path: '/api/v1/quotes', bodies: some, status: 201, connections: 64 })
          used[side] += totalTime(timesBetween(before, read()))
        }
      }
      const each = (side: 'plain' | 'traced') => used[side] / (turnQuotes * turnsPerRound)
      progress(`round ${round} of ${rounds}: ${each('plain').toFixed(1)} and ${each('traced').toFixed(1)} µs a quote`)
      if (round === 0) continue
      for (const side of ['plain', 'traced'] as const) costs[side].push(each(side))
    }
    const cost = (side: 'plain' | 'traced') => `${figureOf(costs[side]).median.toFixed(1)} µs`
    return {
      findings: [
        {
          what: 'processor time of POST /quotes with traces',
          rival: 'the same without',
          unit: 'x',
          figure: ratioOf(costs.traced, costs.plain),
          ...goals.tracedIngest,
          notes: [`with: ${cost('traced')}`, `without: ${cost('plain')}`, `${collector.bytes()} bytes of spans`],
        },
      ],
    }
  },
}

/** Takes what it is sent, and counts it. */
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
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
