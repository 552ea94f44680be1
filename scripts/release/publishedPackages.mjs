import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A package that is published. `folder` is its path from the root of the repository, with slashes.
 *
 * @typedef {{ name: string, version: string, folder: string, manifest: Manifest }} PublishedPackage
 * @typedef {Record<string, any> & { name: string, version: string }} Manifest
 */

/**
 * Every package of the repository that is published, each after those that it depends on.
 *
 * @param {string} [repository] the repository's folder
 * @returns {PublishedPackage[]}
 */
export function publishedPackages(repository = root) {
  const packages = ['packages', 'apps']
    .flatMap((parent) =>
      readdirSync(join(repository, parent))
        .sort()
        .map((name) => `${parent}/${name}`),
    )
    .filter((folder) => existsSync(join(repository, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private)
    .map(({ folder, manifest }) => ({ name: manifest.name, version: manifest.version, folder, manifest }))
  return inOrder(packages)
}

/**
 * Packages, each after those of them that it depends on.
 *
 * @template {{ name: string, manifest: Manifest }} P
 * @param {P[]} packages
 * @returns {P[]}
 * @throws Error for packages that depend on each other in a circle
 */
export function inOrder(packages) {
  /** @type {P[]} */
  const ordered = []
  let waiting = packages
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const ready = waiting.filter(({ manifest }) => !dependenciesOf(manifest).some((name) => names.has(name)))
    if (ready.length === 0) throw new Error(`These packages depend on each other: ${[...names].join(', ')}.`)
    ordered.push(...ready)
    waiting = waiting.filter((one) => !ready.includes(one))
  }
  return ordered
}

/** @param {Manifest} manifest */
function dependenciesOf({ dependencies, peerDependencies, optionalDependencies }) {
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
}
