import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { integrityOf } from './integrityOf.mjs'
import { readRecord } from './registry.mjs'

/**
 * Publishes the tarballs that `preparePackages` has made, in their order. May be repeated: what the registry has already, with the same
 * integrity, is passed over, and tarballs that were changed, or are not those that the registry has, end it before the first one is
 * published. npm finds its credentials where it always does, or is a trusted publisher.
 *
 * @param {string} from the folder with `release.json`
 * @param {string} registry its address
 * @param {object} options
 * @param {boolean} options.provenance whether npm attests where the packages were built, which works only in a workflow
 * @param {(line: string) => void} options.tell is told what becomes of each package
 * @throws Error for a tarball that differs from `release.json` or from what the registry has, and when npm fails
 */
export async function publishPackages(from, registry, { provenance, tell }) {
  const prepared = readPrepared(from)
  if (provenance) demandNpm()
  const records = await Promise.all(prepared.map((one) => readRecord(registry, one)))
  prepared.forEach((one, index) => {
    const there = records[index]
    if (there && there.integrity !== one.integrity) {
      throw new Error(
        `${registry} has ${one.name}@${one.version} with another content (${there.integrity}): nothing was published. A version is published once; make a new one.`,
      )
    }
  })
  for (const [index, { name, version, file }] of prepared.entries()) {
    if (records[index]) {
      tell(`${name}@${version} is there already`)
      continue
    }
    // A version such as 1.0.0-rc.1 is not what users get who name none.
    const tag = version.includes('-') ? 'next' : 'latest'
    npm([
      'publish',
      resolve(from, file),
      '--registry',
      registry,
      '--access',
      'public',
      '--tag',
      tag,
      `--provenance=${provenance}`,
      '--loglevel=warn',
    ])
    tell(`${name}@${version} is published`)
  }
}

/**
 * Reads `release.json`, and holds every tarball against it.
 *
 * @param {string} from
 * @returns {import('./preparePackages.mjs').PreparedPackage[]}
 * @throws Error for a tarball that is missing or was changed
 */
export function readPrepared(from) {
  /** @type {import('./preparePackages.mjs').PreparedPackage[]} */
  const prepared = JSON.parse(readFileSync(join(from, 'release.json'), 'utf8'))
  for (const { name, file, integrity } of prepared) {
    if (basename(file) !== file) throw new Error(`${name}: ${file} is no file of ${from}.`)
    if (integrityOf(readFileSync(join(from, file))) !== integrity) {
      throw new Error(`${name}: ${file} is not the tarball that release.json was written for.`)
    }
  }
  return prepared
}

/** npm proves itself to the registry as a trusted publisher from 11.5.1 on. */
function demandNpm() {
  const version = npm(['--version']).trim()
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (major > 11 || (major === 11 && (minor > 5 || (minor === 5 && patch >= 1)))) return
  throw new Error(`npm 11.5.1 or newer is needed to publish with provenance; this is ${version}.`)
}

/** @param {string[]} args */
function npm(args) {
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
