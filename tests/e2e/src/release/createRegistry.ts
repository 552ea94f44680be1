import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A registry that has what was published to it, as far as `npm publish` and a release go; a test may change what it says. */
export type Registry = {
  url: string
  /** What `npm publish` does. */
  publish(name: string, version: string, content: Buffer, tag: string): void
  /** What it was given, in order: `name@version tag`. */
  published: string[]
  /** Its record of a version, as it answers it. */
  record(name: string, version: string): { integrity: string; tarball: string; attestations?: { url: string } }
  /** How often it was asked for anything. */
  readonly reads: number
  /** The bytes of a download, by its path. */
  downloads: Map<string, Buffer>
  /** Attests a version, as npm does for a trusted publisher. */
  attest(name: string, version: string, statement: { repository: string; sha512?: string; type?: string }): void
  close(): Promise<void>
}

/** Starts a registry on a free port. */
export async function createRegistry(): Promise<Registry> {
  const documents = new Map<string, { versions: Record<string, { dist: ReturnType<Registry['record']> }> }>()
  const downloads = new Map<string, Buffer>()
  const published: string[] = []
  let url = ''
  let reads = 0

  function record(name: string, version: string) {
    const dist = documents.get(name)?.versions[version]?.dist
    if (dist === undefined) throw new TypeError(`${name}@${version} was not published.`)
    return dist
  }

  function publish(name: string, version: string, content: Buffer, tag: string) {
    const path = `/-/${name.replace('@', '').replace('/', '-')}-${version}.tgz`
    downloads.set(path, content)
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
    const known = documents.get(name)?.versions ?? {}
    documents.set(name, { versions: { ...known, [version]: { dist: { integrity, tarball: url + path } } } })
    published.push(`${name}@${version} ${tag}`)
  }

  const server = createServer(async (req, res) => {
    reads += 1
    const path = decodeURIComponent((req.url ?? '').split('?')[0] ?? '')
    if (req.method === 'PUT') {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const document = JSON.parse(Buffer.concat(chunks).toString())
      const [attachment] = Object.values<{ data: string }>(document._attachments)
      const content = Buffer.from(attachment?.data ?? '', 'base64')
      publish(
        document.name,
        String(Object.keys(document.versions)),
        content,
        String(Object.keys(document['dist-tags'])),
      )
      return answer(res, 201, '{}')
    }
    const download = downloads.get(path)
    if (download) return answer(res, 200, download)
    const document = documents.get(path.slice(1))
    return document ? answer(res, 200, JSON.stringify(document)) : answer(res, 404, '{"error":"not found"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    publish,
    published,
    get reads() {
      return reads
    },
    record,
    downloads,
    attest(name, version, { repository, sha512, type = 'https://slsa.dev/provenance/v1' }) {
      const dist = record(name, version)
      const digest = Buffer.from(dist.integrity.slice('sha512-'.length), 'base64').toString('hex')
      const statement = {
        subject: [{ digest: { sha512: sha512 ?? digest } }],
        predicate: { buildDefinition: { externalParameters: { workflow: { repository } } } },
      }
      const payload = Buffer.from(JSON.stringify(statement)).toString('base64')
      const path = `/-/attestations/${name}@${version}`
      downloads.set(
        path,
        Buffer.from(JSON.stringify({ attestations: [{ predicateType: type, bundle: { dsseEnvelope: { payload } } }] })),
      )
      dist.attestations = { url: url + encodeURI(path) }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function answer(res: ServerResponse, status: number, body: string | Buffer) {
  res.writeHead(status, { connection: 'close' })
  res.end(body)
}
