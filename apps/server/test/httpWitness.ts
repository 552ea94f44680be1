import { sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Checkpoint, cosign, fromBase64, judgeCheckpoint, keyTypes, type NoteKey } from '@firmquote/verify'
import { createNoteSigner } from '../../../packages/verify/test/proofFixture.ts'

/**
 * Starts a witness as c2sp.org/tlog-witness describes it, over HTTP.
 *
 * @param readLog returns the log's key, which may become known later.
 */
export async function startHttpWitness(
  readLog: () => Promise<NoteKey>,
  { now = Date.now }: { now?: () => number } = {},
) {
  const { key, privateKey } = createNoteSigner('witness.example.com/w1', keyTypes.witness)
  const world = {
    last: null as Checkpoint | null,
    requests: [] as string[],
    /** Why it suspected the log of a fork. */
    suspicions: [] as string[],
    /** Answers instead of the witness, if it returns true. */
    intercept: (_response: ServerResponse): boolean => false,
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    world.requests.push(`${request.method} ${request.url} ${body.split('\n')[0]}`)
    if (world.intercept(response)) return
    const split = body.indexOf('\n\n')
    const [old = '', ...path] = body.slice(0, split).split('\n')
    const from = Number(old.replace('old ', ''))
    const known = world.last?.size ?? 0
    if (from !== known) {
      response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${known}\n`)
      return
    }
    const offer = { note: body.slice(split + 2), from, path: path.map((line) => fromBase64(line, 'A hash')) }
    const verdict = await judgeCheckpoint(offer, { log: await readLog(), last: world.last })
    if (verdict.action === 'suspect') world.suspicions.push(verdict.reason)
    if (verdict.action !== 'cosign') return void response.writeHead(422).end()
    world.last = verdict.checkpoint
    const time = Math.floor(now() / 1_000)
    const line = await cosign(verdict.checkpoint.note.text, {
      key,
      time,
      sign: (message) => sign(null, message, privateKey),
    })
    response.end(`${line}\n`)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(403).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    key,
    url: `http://127.0.0.1:${port}/w1`,
    world,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
