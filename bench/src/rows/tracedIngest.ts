import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { postQuotes } from '../clients/postQuotes.ts'
import { alternate } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { serverMain, startFixture, startProgram } from '../fixture/startFixture.ts'
import { quoteBody } from '../quotes.ts'
import type { Row } from '../row.ts'

/** Quotes per side and slice: enough that the initial burst of spans hardly matters. */
const turnQuotes = 10_000

/** Server CPU time for `POST /quotes` with tracing, compared with the same server without it. */
export const tracedIngest: Row = {
  id: 'traced-ingest',
  about: 'CPU time of POST /quotes with traces, against without',
  async run(context) {
    const collector = createServer((req, res) => req.resume().on('end', () => res.end('{}'))).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    await using stack = new AsyncDisposableStack()
    stack.defer(() => collector.close().closeAllConnections())
    await using fixture = await startFixture()
    await using traced = await startProgram(serverMain, {
      RPC_URL: fixture.devnet.rpcUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    })
    const sides = { plain: fixture.server, traced }
    const costs = await alternate(['plain', 'traced'], context, async (side) => {
      const bodies = fixture.sign(turnQuotes).map(quoteBody)
      const before = await sides[side].call('cpu')
      await postQuotes([sides[side].url], bodies, { connections: 64 })
      return ((await sides[side].call('cpu')) - before) / turnQuotes
    })
    return { tracedIngest: ratioOf(costs.traced, costs.plain, 'µs') }
  },
}
