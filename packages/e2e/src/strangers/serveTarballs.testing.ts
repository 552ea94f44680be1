import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { pack, publishedPackages } from '../pack.ts'

/** A registry that has this repository's published packages as they are packed, and no others. */
export type TarballRegistry = {
  /** For `@firmquote:registry` of npm's configuration. */
  url: string
  stop(): Promise<void>
}

/**
 * Packs every published package into a folder, and serves them to npm on a free port of this machine: each has one version, which
 * is its latest.
 */
export async function serveTarballs(folder: string): Promise<TarballRegistry> {
  mkdirSync(folder, { recursive: true })
  const files = new Map<string, Buffer>()
  const packages = new Map<string, { manifest: { version: string }; file: string; integrity: string }>()
  for (const published of publishedPackages()) {
    const tarball = pack(published, folder)
    const bytes = readFileSync(tarball)
    const manifest = JSON.parse(execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' }))
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    packages.set(published.name, { manifest, file: basename(tarball), integrity })
    files.set(basename(tarball), bytes)
  }
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url.slice(1).split('?')[0] ?? '')
    const bytes = files.get(path)
    const found = packages.get(path)
    if (bytes) response.end(bytes)
    else if (found) {
      const { manifest, file, integrity } = found
      const dist = { tarball: `${origin}/${file}`, integrity }
      const { version } = manifest
      response.end(
        JSON.stringify({
          name: path,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, dist } },
        }),
      )
    } else response.writeHead(404).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
