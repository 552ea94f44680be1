import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a registry says of a version. */
type Dist = { integrity: string; tarball: string; attestations?: { provenance: object } }

/** A registry in memory, with as much of npm's protocol as publishing needs. */
export type Registry = {
  url: string
  /** `name@version tag` for each upload, in order. */
  uploads: string[]
  publish(name: string, version: string, integrity: string, tag?: string): void
  /** The record of a version, for tests to change. */
  dist(name: string, version: string): Dist
  /** Resolves when the registry has answered this many more reads. */
  reads(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a registry on a free port. */
export async function createRegistry(): Promise<Registry> {
  const documents = new Map<string, { name: string; versions: Record<string, { dist: Dist }> }>()
  const uploads: string[] = []
  const waiting: { count: number; resolve: () => void }[] = []

  const publish: Registry['publish'] = (name, version, integrity, tag = 'latest') => {
    const { versions } = documents.get(name) ?? { versions: {} }
    const dist = { integrity, tarball: `${url}/${name}/${version}.tgz` }
    documents.set(name, {
      ...{ name, 'dist-tags': { [tag]: version } },
      versions: { ...versions, [version]: { ...{ name, version }, dist } },
    })
    uploads.push(`${name}@${version} ${tag}`)
  }

  const server = createServer(async (req, res) => {
    const answer = (status: number, body: object) =>
      res.writeHead(status, { connection: 'close' }).end(JSON.stringify(body))
    const name = decodeURIComponent((req.url ?? '').split('?')[0] ?? '').slice(1)
    const known = documents.get(name)
    if (req.method !== 'PUT') {
      for (const one of waiting) if (--one.count === 0) one.resolve()
      return known ? answer(200, known) : answer(404, { error: 'not found' })
    }
    const upload = JSON.parse(Buffer.concat(await req.toArray()).toString())
    const [version = ''] = Object.keys(upload.versions)
    if (known?.versions[version]) return answer(403, { error: 'You cannot publish over a published version.' })
    const [attachment] = Object.values<{ data: string }>(upload._attachments)
    const hash = createHash('sha512').update(Buffer.from(attachment?.data ?? '', 'base64'))
    publish(name, version, `sha512-${hash.digest('base64')}`, Object.keys(upload['dist-tags'])[0])
    answer(201, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ url, uploads, publish },
    dist(name, version) {
      const dist = documents.get(name)?.versions[version]?.dist
      if (dist === undefined) throw new TypeError(`${name}@${version} was not published.`)
      return dist
    },
    reads: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
