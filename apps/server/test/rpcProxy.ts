import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

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
export type RpcProxy = {
  url: string
  /** The requests so far. Tests may clear this list of requests. */
  calls: RpcCall[]
  /** Decides how to handle a request. By default, the proxy forwards every request. */
  interfere: (call: RpcCall) => Interference | Promise<Interference>
  close(): Promise<void>
}

/** Starts a proxy on a free port. The proxy's URL path contains a secret that no log or response may reveal. */
export async function startRpcProxy(rpcUrl: string): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString('utf8')
      const { id, ...call } = JSON.parse(body) as RpcCall & { id: number }
      proxy.calls.push(call)
      const decision = await proxy.interfere(call)
      if (decision && 'status' in decision) {
        response.writeHead(decision.status).end('a page that is no JSON')
      } else if (decision) {
        response.setHeader('content-type', 'application/json')
        response.end('body' in decision ? decision.body : JSON.stringify({ jsonrpc: '2.0', id, ...decision }))
      } else {
        fetch(rpcUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
          .then(async (answer) => {
            response.setHeader('content-type', 'application/json')
            response.end(await answer.text())
          })
          .catch(() => response.destroy())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${port}/v2/secret-key`,
    calls: [],
    interfere: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
