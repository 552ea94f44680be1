import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { licenceReports, parseReport } from '../licences/licenceReport.ts'
import { publishedPackages, root } from './publishedPackages.mjs'

/**
 * A software bill of materials as CycloneDX has it, of which this is what is used here.
 *
 * @typedef {{ purl: string, 'bom-ref': string }} Component
 * @typedef {object} Sbom
 * @property {{ component: Component }} metadata
 * @property {(Component & Record<string, unknown>)[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 */

/**
 * Writes a CycloneDX file for each published package: what is installed with it, by pnpm, and what is built into it, by its reports of
 * licences.
 *
 * @param {string} out a folder
 * @returns {{ name: string, folder: string, sbom: Sbom }[]}
 */
export function writeSboms(out) {
  mkdirSync(out, { recursive: true })
  const packages = publishedPackages()
  const filters = packages.flatMap(({ name }) => ['--filter', name])
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--prod',
    '--split',
    ...filters,
    '--out',
    join(resolve(out), '%s.json'),
  ]
  execFileSync(join(root, 'node_modules/.bin/pnpm'), args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const files = readdirSync(out).map((file) => join(out, file))
  return files.map((file) => {
    /** @type {Sbom} */
    const sbom = JSON.parse(readFileSync(file, 'utf8'))
    const { purl } = sbom.metadata.component
    const published = packages.find(({ name, version }) => packageUrl(name, version) === purl)
    if (!published) throw new Error(`pnpm has written ${file} for ${purl}, which is not published.`)
    addBundled(sbom, licenceReports(join(root, published.folder, 'dist')).flatMap(parseReport))
    writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
    return { name: published.name, folder: published.folder, sbom }
  })
}

/**
 * Adds what is built into a package.
 *
 * @param {Sbom} sbom
 * @param {import('../licences/licenceReport.ts').BundledPackage[]} bundled
 */
export function addBundled({ metadata, components, dependencies }, bundled) {
  const own = dependencies.find(({ ref }) => ref === metadata.component['bom-ref'])
  for (const { label, licence } of bundled) {
    const [, name = '', version = ''] = /^(.+)@([^@]+)$/.exec(label) ?? []
    const purl = packageUrl(name, version)
    if (components.some((component) => component.purl === purl)) continue
    components.push({ type: 'library', name, version, purl, 'bom-ref': purl, licenses: [{ expression: licence }] })
    dependencies.push({ ref: purl, dependsOn: [] })
    own?.dependsOn.push(purl)
  }
}

/**
 * What is installed with a package and its bill does not name, found by walking through node_modules.
 *
 * @param {Sbom} sbom
 * @param {string} folder the package's folder
 * @returns {string[]} the names of packages, with versions
 */
export function missingInSbom({ components }, folder) {
  const named = new Set(components.map(({ purl }) => purl))
  return [...runtimeDependencies(folder)].filter((label) => {
    const [, name = '', version = ''] = /^(.+)@([^@]+)$/.exec(label) ?? []
    return !named.has(packageUrl(name, version))
  })
}

/**
 * @param {string} folder
 * @param {Set<string>} [found]
 * @returns {Set<string>} names with versions of all that is installed with a package
 */
function runtimeDependencies(folder, found = new Set()) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies ?? {})) {
    const installed = findInstalled(dependency, folder)
    const { name, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const label = `${name}@${version}`
    if (found.has(label)) continue
    found.add(label)
    runtimeDependencies(installed, found)
  }
  return found
}

/**
 * Where a package's dependency is installed.
 *
 * @param {string} name
 * @param {string} folder the package's folder
 * @returns {string}
 */
function findInstalled(name, folder) {
  for (let above = folder; above !== dirname(above); above = dirname(above)) {
    const found = join(above, 'node_modules', name)
    if (existsSync(found)) return realpathSync(found)
  }
  throw new Error(`${name}, which ${folder} needs, is not installed.`)
}

/**
 * How a bill names a package of npm's.
 *
 * @param {string} name
 * @param {string} version
 */
function packageUrl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
