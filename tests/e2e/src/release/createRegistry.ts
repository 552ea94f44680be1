import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { sendJson, startHttpServer } from '@firmquote/test-support/httpServer'

/** The registry's record of a version's tarball. */
type Dist = { integrity: string; tarball: string; attestations?: { provenance: object } }
type Versions = Record<string, { dist: Dist }>

export type Registry = Awaited<ReturnType<typeof createRegistry>>

/** Starts an in-memory registry on a free port. Supports the part of npm's protocol needed to publish and install. */
export async function createRegistry() {
  const documents = new Map<string, { name: string; versions: Versions }>()
  const tarballs = new Map<string, Buffer>()
  const uploads: string[] = []
  const reads = new EventEmitter()

  function publish(name: string, version: string, integrity: string, tag = 'latest', manifest = {}): void {
    const { versions } = documents.get(name) ?? { versions: {} }
    const dist = { integrity, tarball: `${url}/${name}/${version}.tgz` }
    documents.set(name, {
      ...{ name, 'dist-tags': { [tag]: version } },
      versions: { ...versions, [version]: { ...manifest, ...{ name, version }, dist } },
    })
    uploads.push(`${name}@${version} ${tag}`)
  }

  const { url, close } = await startHttpServer(({ method, path, body }, res) => {
    const answer = (status: number, answered: object) => sendJson(res, status, answered, { connection: 'close' })
    const name = decodeURIComponent(path.split('?')[0] ?? '').slice(1)
    const known = documents.get(name)
    if (method !== 'PUT') {
      reads.emit('read')
      const tarball = tarballs.get(name)
      if (tarball) return res.end(tarball)
      return known ? answer(200, known) : answer(404, { error: 'not found' })
    }
    const upload = JSON.parse(body)
    const [version = ''] = Object.keys(upload.versions)
    if (known?.versions[version]) return answer(403, { error: 'You cannot publish over a published version.' })
    const [attachment] = Object.values<{ data: string }>(upload._attachments)
    const tarball = Buffer.from(attachment?.data ?? '', 'base64')
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    tarballs.set(`${name}/${version}.tgz`, tarball)
    publish(name, version, integrity, Object.keys(upload['dist-tags'])[0], upload.versions[version])
    return answer(201, {})
  })

  return {
    url,
    /** The uploads so far, in order, as `name@version tag`. */
    uploads,
    publish,
    /** Returns a version's record, which a test may modify. */
    dist(name: string, version: string): Dist {
      const dist = documents.get(name)?.versions[version]?.dist
      if (dist === undefined) throw new TypeError(`${name}@${version} was not published.`)
      return dist
    },
    /** Emits `read` for each request for a document or tarball. */
    reads,
    stop: close,
  }
}
