import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/** A message on the maker's channel. */
export type ChannelMessage = { type: string; [field: string]: unknown }

/** A dishonest service's behaviour. By default, it is honest. */
export type Lies = {
  /** Answers a GET in the server's place. Null passes the request on. */
  answer(path: string): Promise<Uint8Array | string | number | null> | Uint8Array | string | number | null
  /** Returns the message that the maker receives instead. Null withholds it. */
  tell(message: ChannelMessage): Promise<ChannelMessage | null> | ChannelMessage | null
  /** Whether a message of the maker reaches the server. */
  accepts(message: ChannelMessage): boolean
}

const honesty: Lies = { answer: () => null, tell: (message) => message, accepts: () => true }

/**
 * Starts a proxy between a maker and an honest server. A test makes it dishonest. `leadTo` sets the server, which may
 * need the proxy's URL to start.
 */
export async function startLyingService() {
  let target = ''
  const lies: Lies = { ...honesty }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method, headers } = request
    const lie = method === 'GET' ? await lies.answer(url) : null
    if (typeof lie === 'number') return void response.writeHead(lie).end()
    if (lie !== null) return void response.end(lie)
    const body = method === 'GET' ? {} : { body: await bodyOf(request) }
    const { authorization, 'content-type': type = 'application/json' } = headers
    const honest = await fetch(`${target}${url}`, {
      ...{ method: method ?? 'GET', ...body },
      headers: { 'content-type': type, ...(authorization !== undefined && { authorization }) },
    })
    response.writeHead(honest.status, { 'content-type': honest.headers.get('content-type') ?? '' })
    response.end(new Uint8Array(await honest.arrayBuffer()))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (maker) => {
      const upstream = new WebSocket(`${target.replace('http', 'ws')}${request.url}`)
      const waiting: string[] = []
      upstream.on('open', () => {
        for (const text of waiting.splice(0)) upstream.send(text)
      })
      let told: Promise<void> = Promise.resolve()
      upstream.on('message', (data) => {
        told = told.then(async () => {
          const message = await lies.tell(JSON.parse(String(data)))
          if (message) maker.send(JSON.stringify(message))
        })
      })
      maker.on('message', (data) => {
        const text = String(data)
        if (!lies.accepts(JSON.parse(text))) return
        if (upstream.readyState === WebSocket.OPEN) upstream.send(text)
        else waiting.push(text)
      })
      for (const [one, other] of [
        [maker, upstream],
        [upstream, maker],
      ] as const) {
        one.on('close', () => other.close())
        one.on('error', () => other.terminate())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lies,
    leadTo(url: string) {
      target = url
    },
    /** Becomes honest again. */
    repent: () => void Object.assign(lies, honesty),
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return new Uint8Array(Buffer.concat(pieces))
}
