import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packPackages } from '../project.ts'

/** A registry that has this repository's published packages as they are packed, and no others. */
export type TarballRegistry = {
  /** For `@firmquote:registry` of npm's configuration. */
  url: string
  stop(): Promise<void>
}

/** Serves every published package, as it is packed, to npm on a free port of this machine: each has one version, its latest. */
export async function serveTarballs(): Promise<TarballRegistry> {
  const folder = await packPackages()
  const files = new Map<string, Buffer>()
  const packages = new Map<string, { manifest: { version: string }; file: string; integrity: string }>()
  for (const file of readdirSync(folder)) {
    const tarball = join(folder, file)
    const bytes = readFileSync(tarball)
    const manifest = JSON.parse(execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' }))
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    packages.set(manifest.name, { manifest, file, integrity })
    files.set(file, bytes)
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
