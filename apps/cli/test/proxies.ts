import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Something that stands between the program and a service. */
export type Proxy = { url: string; close(): void }

/** Passes everything on to a server, but cuts the first auction's stream after its first event. */
export async function startCuttingProxy(url: string): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), new URL(url).hostname)
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk)
      if (chunk.includes('event: started')) client.end(() => client.destroy())
    })
    upstream.on('close', () => client.end())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

/** Passes everything on to a server, and changes its answers; a stream of events comes at once, when it has ended. */
export async function startLyingService(url: string, lie: (text: string) => string): Promise<Proxy> {
  const proxy = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET' } = request
    const answer = await fetch(`${url}${request.url}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(lie(await answer.text()))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** A node of a real chain that answers some methods in its own way, or does something before the chain answers. */
export async function startNode(
  rpcUrl: string,
  answers: Record<string, object | (() => Promise<void>)>,
): Promise<Proxy> {
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { id, method } = JSON.parse(body)
    response.setHeader('content-type', 'application/json')
    const own = answers[method]
    if (typeof own === 'function') await own()
    else if (own) return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...own }))
    const real = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return response.end(await real.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/a-secret-path`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
