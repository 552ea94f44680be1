import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { BundledPackage } from './licenceReport.ts'

/** Names of files that must accompany a copy of a package. */
const textName = /^(licen[cs]e|copying|notice|unlicense)|\.licen[cs]e\.txt$/i
const apacheTerms = 'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION'
/** Licences whose text need not be included. */
const withoutText = ['Unlicense', '0BSD', 'CC0-1.0']

/**
 * Returns the third-party packages among a build's modules, excluding the bundler's own helpers.
 *
 * @param modules absolute paths; paths outside `node_modules` are ignored
 * @param own folder of the built package
 * @throws Error for a package without a licence text, and for another workspace package's build, which may contain
 * third-party code
 */
export function bundledPackages(modules: Iterable<string>, own: string): BundledPackage[] {
  const paths = [...modules].map((path) => path.split('?')[0] ?? '')
  const foreignBuild = paths.find(
    (path) => !isInstalled(path) && !path.startsWith(own + sep) && path.includes(distFolder),
  )
  if (foreignBuild !== undefined) throw new Error(`${foreignBuild}: bundle a workspace package from its sources.`)
  const folders = new Set(paths.filter(isInstalled).map(packageOf))
  return [...folders].map(describe)
}

const distFolder = `${sep}dist${sep}`

function isInstalled(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`)
}

/** Returns the package folder below the last `node_modules` in a path. */
function packageOf(path: string): string {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? path
}

/** Returns a package's licence and the texts to include. */
export function describe(folder: string): BundledPackage {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const label = `${name}@${version}`
  const licence = typeof license === 'string' ? license.replace(/^\(([^()]*)\)$/, '$1') : ''
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && textName.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim())
  // This licence's text must be included in full, but some packages only name the licence.
  if (licence.includes('Apache-2.0') && !texts.some((text) => text.includes(apacheTerms)))
    texts.push(readText('Apache-2.0.txt'))
  if (texts.length > 0) return { label, licence, text: texts.join('\n\n') }
  if (licence === 'MIT') return { label, licence, text: standardText(name, author) }
  if (withoutText.includes(licence))
    return {
      label,
      licence,
      text: 'The package does not include a licence text, and its licence does not require one.',
    }
  throw new Error(`${label} (${licence || 'without a licence'}) ships no licence text.`)
}

/** The MIT licence text, for a package that omits it. */
function standardText(name: string, author: string | { name?: string } | undefined): string {
  const holder = (typeof author === 'object' ? author.name : author) ?? `the authors of ${name}`
  return readText('MIT.txt').replace('HOLDER', () => holder)
}

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8').trim()
}
