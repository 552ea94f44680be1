import { startHttpServer } from '@firmquote/test-support/httpServer'

/** A JSON-RPC request as the node would receive it. */
export type RpcCall = { method: string; params: readonly unknown[] }

/** The proxy's response to a request it does not forward. */
export type Interference =
  | { error: { code: number; message: string } }
  | { status: number }
  /** A result that replaces the node's result. */
  | { result: unknown }
  /** A response body. */
  | { body: string }
  | undefined

/** A proxy between a client and a node. Tests use the proxy to simulate node failures. */
export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>

/** Starts a proxy on a free port. The proxy's URL path contains a secret that no log or response may reveal. */
export async function startRpcProxy(rpcUrl: string) {
  const { url, close } = await startHttpServer(async ({ body }, response) => {
    const { id, ...call } = JSON.parse(body) as RpcCall & { id: number }
    proxy.calls.push(call)
    const decision = await proxy.interfere(call)
    if (decision && 'status' in decision) return response.writeHead(decision.status).end('a page that is no JSON')
    response.setHeader('content-type', 'application/json')
    if (decision)
      return response.end('body' in decision ? decision.body : JSON.stringify({ jsonrpc: '2.0', id, ...decision }))
    const answer = await fetch(rpcUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return response.end(await answer.text())
  })
  const proxy = {
    url: `${url}/v2/secret-key`,
    /** The requests so far. Tests may clear this list of requests. */
    calls: [] as RpcCall[],
    /** Decides how to handle a request. By default, the proxy forwards every request. */
    interfere: (_: RpcCall): Interference | Promise<Interference> => undefined,
    close,
  }
  return proxy
}
