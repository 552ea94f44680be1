import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { concat } from '../src/bytes.ts'
import { formatKey } from '../src/note.ts'
import { encodeEntries, parseTilePath } from '../src/tiles.ts'
import { rootOf } from '../src/tree.ts'
import type { TestLog } from './proofFixture.ts'

/** Answers a request in place of the log. Returns false to let the log answer. */
export type Interceptor = (path: string, response: ServerResponse) => boolean

/** What is served of a log. */
export type ServedLog = Pick<TestLog, 'entries' | 'hashes' | 'origin' | 'log'>

/** Serves a log over HTTP, as the service does. `note` is its checkpoint; replace it to publish another one. */
export async function serveLog(log: ServedLog, note: string) {
  const served = { note, log, intercept: (() => false) as Interceptor, requests: [] as string[] }
  const answer = (path: string): string | Uint8Array | undefined => {
    const { entries, hashes, origin, log: signer } = served.log
    if (path === '/log') return JSON.stringify({ logs: [{ origin, url: '/log/1', key: formatKey(signer.key) }] })
    if (path === '/log/1/checkpoint') return served.note
    const tile = parseTilePath(path.replace('/log/1/', ''))
    if (!tile) return undefined
    const start = tile.index * 256
    if (tile.level === 'entries') return encodeEntries(entries.slice(start, start + tile.width))
    const leaves = 256 ** tile.level
    const subtrees = Array.from({ length: tile.width }, (_, at) =>
      rootOf(hashes.slice((start + at) * leaves, (start + at + 1) * leaves)),
    )
    return concat(...subtrees)
  }
  const server = createServer(({ url: path = '' }, response) => {
    served.requests.push(path)
    if (served.intercept(path, response)) return
    const body = answer(path)
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, served },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
