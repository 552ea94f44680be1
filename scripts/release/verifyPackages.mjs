import { setTimeout as sleep } from 'node:timers/promises'
import { integrityOf } from './integrityOf.mjs'
import { readPrepared } from './publishPackages.mjs'
import { read, readRecord } from './registry.mjs'

/** What is attested of a package says which statement it is by this, in SLSA's first version. */
const provenanceType = 'https://slsa.dev/provenance/v1'

/**
 * Holds what a registry has against the tarballs that were made: each version is there, with their integrity, its download is the
 * same bytes, and with provenance, the statement is about these bytes and names the repository. Signatures are npm's to check
 * (`npm audit signatures`).
 *
 * @param {string} from the folder with `release.json`
 * @param {string} registry
 * @param {object} options
 * @param {string | undefined} options.repository the address that provenance must name; undefined where there is no provenance
 * @param {number} options.patience ms that the registry may take until it shows a package
 * @param {(line: string) => void} options.tell is told of each package that is right
 * @throws Error that names the first package that is not
 */
export async function verifyPackages(from, registry, { repository, patience, tell }) {
  const deadline = performance.now() + patience
  for (const prepared of readPrepared(from)) {
    const label = `${prepared.name}@${prepared.version}`
    const record = await awaitRecord(registry, prepared, deadline, repository !== undefined)
    if (!record) throw new Error(`${registry} does not show ${label}.`)
    if (record.integrity !== prepared.integrity)
      throw new Error(`${label}: ${registry} names another integrity, ${record.integrity}.`)
    const tarball = await read(record.tarball)
    if (!tarball || integrityOf(Buffer.from(await tarball.arrayBuffer())) !== prepared.integrity) {
      throw new Error(`${label}: what ${registry} lets users download is not what was made.`)
    }
    if (repository !== undefined) await verifyProvenance(label, record.attestations, prepared.integrity, repository)
    tell(`${label} is what was made${repository === undefined ? '' : `, by a workflow of ${repository}`}`)
  }
}

/**
 * A record that has all that is expected, or what there is of it when the time is over.
 *
 * @param {string} registry
 * @param {{ name: string, version: string }} published
 * @param {number} deadline
 * @param {boolean} attested
 */
async function awaitRecord(registry, published, deadline, attested) {
  for (;;) {
    const record = await readRecord(registry, published)
    const complete = record && (!attested || record.attestations !== undefined)
    if (complete || performance.now() >= deadline) return record
    await sleep(Math.min(1_000, Math.max(1, deadline - performance.now())))
  }
}

/**
 * @param {string} label
 * @param {string | undefined} url
 * @param {string} integrity
 * @param {string} repository
 */
async function verifyProvenance(label, url, integrity, repository) {
  if (url === undefined) throw new Error(`${label}: there is no provenance.`)
  const answer = await read(url)
  const { attestations = [] } = /** @type {any} */ (await answer?.json()) ?? {}
  const found = attestations.find((/** @type {any} */ one) => one?.predicateType === provenanceType)
  if (!found) throw new Error(`${label}: there is no provenance.`)
  const payload = found.bundle?.dsseEnvelope?.payload
  const statement = JSON.parse(Buffer.from(String(payload), 'base64').toString())
  const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  if (!statement?.subject?.some((/** @type {any} */ one) => one?.digest?.sha512 === digest)) {
    throw new Error(`${label}: its provenance is about another tarball.`)
  }
  const source = statement?.predicate?.buildDefinition?.externalParameters?.workflow?.repository
  if (source !== repository) throw new Error(`${label}: its provenance names ${source} as its repository.`)
}
