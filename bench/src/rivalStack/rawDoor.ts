// The raw HTTP baseline: the server's own service (judges, chain, store) behind a bare `http.createServer` that handles
// only `POST /api/v1/quotes`. Runs in a separate process.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeJson } from '@firmquote/core/utils'
import { decode, signedQuoteShape } from '@firmquote/core/wire'
import { createLogger } from '@firmquote/node-runtime/createLogger'
import { loadConfiguration } from '../../../apps/server/src/start/configuration.ts'
import type { createFirmquoteServer } from '../../../apps/server/src/start/createFirmquoteServer.ts'
import { startServer } from '../../../apps/server/src/start/startServer.ts'

const running = await startServer(loadConfiguration(process.env), {
  log: createLogger({ level: 'error', secrets: [] }),
  version: 'bench',
  createFirmquoteServer: createRawDoor,
})
process.stdout.write(`ready ${running.url}\n`)
const leave = () => running.stop().then(() => process.exit(0))
process.once('SIGTERM', leave)
process.once('disconnect', leave)

function createRawDoor({
  service: { book },
}: Parameters<typeof createFirmquoteServer>[0]): ReturnType<typeof createFirmquoteServer> {
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', async () => {
      const quote = decode(signedQuoteShape, JSON.parse(Buffer.concat(parts).toString()))
      const outcome = quote.ok ? await book.submit(quote.value) : null
      const answer = Buffer.from(encodeJson(outcome?.ok ? outcome.value.record : outcome))
      res.writeHead(outcome?.ok ? 201 : 422, { 'Content-Type': 'application/json', 'Content-Length': answer.length })
      res.end(answer)
    })
  })
  return {
    listen: ({ port, host }) =>
      new Promise((resolve) => {
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }))
      }),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
