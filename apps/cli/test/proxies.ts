import type { ServerResponse } from 'node:http'
import { type HttpServer, startHttpServer } from '@firmquote/test-support/httpServer'
import { type Interference, type RpcProxy, startRpcProxy } from '../../server/test/rpcProxy.ts'

/** Forwards requests to a server. `write` writes each response body. */
function startProxy(
  url: string,
  write: (answer: Response, response: ServerResponse) => Promise<unknown>,
): Promise<HttpServer> {
  return startHttpServer(
    async ({ method, path, headers, body }, response) => {
      const { 'last-event-id': lastEventId } = headers
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(lastEventId && { 'last-event-id': String(lastEventId) }) },
        ...(method === 'POST' && { body }),
      })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      await write(answer, response)
    },
    { servesConfig: true },
  )
}

/** Forwards requests, but cuts an auction's stream after its first event. */
export function startCuttingProxy(url: string): Promise<HttpServer> {
  return startProxy(url, async ({ body }, response) => {
    for await (const chunk of body ?? []) {
      const isFirst = Buffer.from(chunk).includes('event: started')
      response.write(chunk, () => isFirst && response.destroy())
      if (isFirst) return
    }
    response.end()
  })
}

/** Forwards requests and modifies the responses. An event stream is buffered and forwarded when it ends. */
export function startLyingService(url: string, lie: (text: string) => string): Promise<HttpServer> {
  return startProxy(url, async (answer, response) => response.end(lie(await answer.text())))
}

/**
 * Starts a proxy in front of a real chain's node. The proxy overrides some methods, or runs a function before the chain
 * answers.
 */
export async function startNode(
  rpcUrl: string,
  answers: Record<string, Exclude<Interference, undefined> | (() => Promise<void>)>,
): Promise<RpcProxy> {
  const node = await startRpcProxy(rpcUrl)
  node.interfere = ({ method }) => {
    const own = answers[method]
    return typeof own === 'function' ? own().then(() => undefined) : own
  }
  return node
}
