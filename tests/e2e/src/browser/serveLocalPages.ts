import { once } from 'node:events'
import { createServer } from 'node:http'
import { extname } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves pages from memory on a port of its own, each at its path, all under a Content-Security-Policy as strict as the server's. */
export async function serveLocalPages(
  pages: Readonly<Record<string, string | Buffer>>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(({ url = '' }, response) => {
    const body = pages[url]
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': types[extname(url)] ?? 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'",
    })
    response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
