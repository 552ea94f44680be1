import { randomInt } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, isIP } from 'node:net'
import { platform } from 'node:os'
import { type Duplex, pipeline } from 'node:stream'

/** A proxy on 127.0.0.1, in front of a node that does not check `Host`. */
export type HostGate = {
  readonly port: number
  /** The secret address that the node listens on. */
  readonly hiddenHost: string
  /** Sets the node's port. */
  passTo(port: number): void
  close(): Promise<void>
}

/**
 * Opens a proxy that checks `Host` before forwarding requests to a node. With DNS rebinding, a website can make its own
 * hostname resolve to this machine. The website's requests are then same-origin, so CORS does not apply, but their
 * `Host` is the website's name. The proxy therefore forwards a request only if its host is an IP address or
 * `localhost`. CORS does not cover WebSockets either, so the proxy accepts WebSocket connections only from allowed pages
 * and from programs that send no `Origin`. Allowed are the pages of `allowOrigin` and those that this machine serves,
 * such as a dapp in development.
 *
 * @param port 0 picks a free port.
 * @throws Errors from listening, such as `EADDRINUSE`.
 */
export async function openHostGate(port: number, allowOrigin: string): Promise<HostGate> {
  const target = { host: hiddenLoopback(), port: 0 }
  const isAllowed = (origin: string) => origin === allowOrigin || isOfThisMachine(origin)
  const server = createServer((request, response) => {
    const { host, origin } = request.headers
    const reader = origin !== undefined && isAllowed(origin) ? origin : allowOrigin
    if (isOwnName(host)) passOn(request, response, target, reader)
    else refuse(request, response)
  })
  const tunnels = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const { host, origin = allowOrigin } = request.headers
    if (!isOwnName(host) || !isAllowed(origin)) return client.destroy()
    const node = connect(target)
    node.write(headOf(request))
    node.write(head)
    for (const end of [client, node]) tunnels.add(end)
    pipeline(client, node, client, () => {
      for (const end of [client, node]) tunnels.delete(end.destroy())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    hiddenHost: target.host,
    passTo(nodePort) {
      target.port = nodePort
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const end of tunnels) end.destroy()
      }),
  }
}

/**
 * Returns a random loopback address. To find the address, a website would have to try 2^24 addresses. macOS has only
 * 127.0.0.1, so only the node's random port is secret there.
 */
function hiddenLoopback(): string {
  if (platform() === 'darwin') return '127.0.0.1'
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
}

/** Whether a host is an IP address or `localhost`, neither of which a website can point at another machine. */
function isOwnName(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')
}

/** Whether an origin's pages come from this machine. */
function isOfThisMachine(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  const isLoopback = hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  return isLoopback || hostname === 'localhost' || hostname.endsWith('.localhost')
}

/** Forwards a request. Browsers let only pages of the `reader` origin read the response. */
function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  target: { host: string; port: number },
  reader: string,
): void {
  const { method, url: path, headers } = request
  const passed = httpRequest({ ...target, method, path, headers })
  passed.on('response', (answer) => {
    // The node knows only one origin.
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'access-control-allow-origin': reader })
    pipeline(answer, response, () => {})
  })
  passed.on('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const message = 'This devnet accepts only requests to an IP address or localhost, so that websites cannot reach it.'
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: 4100, message } })
  // Close the connection, because any further request on it would also be rejected.
  response.writeHead(403, { 'Content-Type': 'application/json', Connection: 'close' }).end(body)
  request.resume()
}

/** Rebuilds the head of a request as it was received. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  )
  return `${[`${method} ${url} HTTP/${httpVersion}`, ...lines].join('\r\n')}\r\n\r\n`
}
