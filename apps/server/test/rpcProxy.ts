import { startHttpServer } from '@firmquote/test-support/httpServer'

/** A JSON-RPC request as the node would receive it. */
export type RpcCall = { method: string; params: readonly unknown[] }

/** The proxy's response to a request it does not forward. */
export type Interference =
  | { error: { code: number; message: string } }
  | { status: number; headers?: Record<string, string> }
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
    const asked = JSON.parse(body) as (RpcCall & { id: number }) | (RpcCall & { id: number })[]
    const calls = Array.isArray(asked) ? asked : [asked]
    proxy.requests += 1
    const refused = proxy.refuse()
    if (refused) return response.writeHead(refused.status).end()
    proxy.calls.push(...calls.map(({ id: _, ...call }) => call))
    const decisions = await Promise.all(calls.map(({ id: _, ...call }) => proxy.interfere(call)))
    const whole = decisions.find((decision) => decision && ('status' in decision || 'body' in decision))
    if (whole && 'status' in whole)
      return response.writeHead(whole.status, whole.headers ?? {}).end('a page that is no JSON')
    response.setHeader('content-type', 'application/json')
    if (whole && 'body' in whole) return response.end(whole.body)
    if (Array.isArray(asked) && !proxy.takesBatches) return response.writeHead(400).end('{}')
    const forward = async (): Promise<object | object[]> =>
      (await (
        await fetch(rpcUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      ).json()) as object
    const answers = decisions.every((decision) => decision) ? [] : [await forward()].flat()
    const replaced = calls.map(({ id }, index) => {
      const decision = decisions[index]
      return decision ? { jsonrpc: '2.0', id, ...decision } : answers[index]
    })
    return response.end(JSON.stringify(Array.isArray(asked) ? replaced : replaced[0]))
  })
  const proxy = {
    url: `${url}/v2/secret-key`,
    /** The requests so far. Tests may clear this list of requests. */
    calls: [] as RpcCall[],
    /** Decides whether to refuse an HTTP request, with all calls of a batch. */
    refuse: (): { status: number } | undefined => undefined,
    /** The number of HTTP requests so far. */
    requests: 0,
    /** Whether the proxy accepts batches. */
    takesBatches: true,
    /** Decides how to handle a request. By default, the proxy forwards every request. */
    interfere: (_: RpcCall): Interference | Promise<Interference> => undefined,
    close,
  }
  return proxy
}
