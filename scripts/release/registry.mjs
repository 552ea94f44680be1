/**
 * What a registry has of one version of a package; undefined for nothing. `attestations` is the address of what is attested of it.
 *
 * @typedef {{ integrity: string, tarball: string, attestations?: string | undefined }} RegistryRecord
 */

/**
 * Reads what a registry has of a version.
 *
 * @param {string} registry
 * @param {{ name: string, version: string }} published
 * @returns {Promise<RegistryRecord | undefined>}
 * @throws Error for an answer that does not say whether there is one
 */
export async function readRecord(registry, { name, version }) {
  const base = registry.endsWith('/') ? registry : `${registry}/`
  // What has just been published must be seen, not what was cached before.
  const answer = await read(new URL(`${name.replace('/', '%2f')}?read=${Date.now()}`, base))
  if (answer === undefined) return undefined
  const dist = /** @type {any} */ (await answer.json())?.versions?.[version]?.dist
  if (dist === undefined) return undefined
  if (typeof dist.integrity !== 'string' || typeof dist.tarball !== 'string') {
    throw new Error(`${registry} has ${name}@${version} without its integrity or its tarball.`)
  }
  return { integrity: dist.integrity, tarball: dist.tarball, attestations: dist.attestations?.url }
}

/**
 * Reads from a registry; undefined if it says that there is nothing.
 *
 * @param {URL | string} url
 * @returns {Promise<Response | undefined>}
 * @throws Error for any answer but 200 and 404
 */
export async function read(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000), headers: { 'cache-control': 'no-cache' } })
  if (answer.ok) return answer
  await answer.body?.cancel()
  if (answer.status === 404) return undefined
  throw new Error(`${new URL(url).origin} answered ${answer.status} for ${new URL(url).pathname}.`)
}
