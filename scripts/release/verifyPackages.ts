import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PreparedPackage } from './preparePackages.ts'

/**
 * Compares a registry's record of each version with the prepared tarballs. The integrity must match, and provenance
 * must exist. npm checks downloads against this integrity, and `npm audit signatures` checks the provenance statement's
 * signature and digest.
 *
 * @param from the folder with `release.json`
 * @param options.partial whether a version may be missing, as it is before publishing
 * @param options.patience how long to wait for the registry to list a package, in milliseconds
 * @throws Error naming the first package that differs
 */
export async function verifyPackages(
  from: string,
  options: { registry: string; provenance: boolean; partial: boolean; patience: number },
): Promise<void> {
  const { registry, provenance, partial, patience } = options
  const deadline = performance.now() + patience
  const prepared: PreparedPackage[] = JSON.parse(readFileSync(join(from, 'release.json'), 'utf8'))
  for (const { name, version, integrity } of prepared) {
    for (;;) {
      const dist = await readDist(registry, name, version)
      if (dist && dist.integrity !== integrity)
        throw new Error(
          `${name}@${version}: ${registry} has different content, ${dist.integrity}. Release a new version.`,
        )
      if (partial || (dist && (dist.attestations?.provenance || !provenance))) break
      if (performance.now() >= deadline)
        throw new Error(`${name}@${version}: ${registry} shows no ${dist ? 'provenance' : 'such version'}.`)
      await sleep(Math.min(1_000, patience))
    }
  }
}

type Dist = { integrity: string; attestations?: { provenance?: object } }

async function readDist(registry: string, name: string, version: string): Promise<Dist | undefined> {
  // The query string bypasses caches.
  const url = new URL(`${name.replace('/', '%2f')}?at=${Date.now()}`, registry.replace(/\/?$/, '/'))
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
  if (!answer.ok && answer.status !== 404) throw new Error(`${registry} answered ${answer.status} for ${name}.`)
  const { versions } = (await answer.json()) as { versions?: Record<string, { dist: Dist }> }
  return versions?.[version]?.dist
}
