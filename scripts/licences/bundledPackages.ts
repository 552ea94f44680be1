import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type BundledPackage, parseReport, reportName } from './licenceReport.ts'

/** Names of files whose text goes with a copy of a package. */
const textName = /^(licen[cs]e|copying|notice|unlicense)|\.licen[cs]e\.txt$/i
const apacheTerms = 'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION'
/** Licences that ask for no text of theirs. */
const withoutText = ['Unlicense', '0BSD', 'CC0-1.0']

/**
 * What others have written of a build: the packages of its modules that come from a registry, and what the packages of this
 * repository among them have built in. Helpers that the bundler writes itself are left out.
 *
 * @param modules absolute paths; what is none is no module of a package
 * @param own the folder of the package that is built, whose last report says nothing of this build
 * @throws Error for a package without a licence's text
 */
export function bundledPackages(modules: Iterable<string>, own: string): BundledPackage[] {
  const paths = [...modules].map((path) => path.split('?')[0] ?? '')
  return [...new Set(paths.map(packageOf))].flatMap((folder) => {
    if (folder === undefined || folder === own) return []
    if (folder.includes(`${sep}node_modules${sep}`)) return describe(folder)
    // The sources of a package of ours hold nothing of others; its build may.
    const dist = join(folder, 'dist')
    const report = join(dist, reportName)
    const isBuilt = paths.some((path) => path.startsWith(dist + sep)) && existsSync(report)
    return isBuilt ? parseReport(readFileSync(report, 'utf8')) : []
  })
}

/** The folder of the package that a file belongs to: below the last `node_modules` of its path, else the next one above with a name. */
function packageOf(path: string): string | undefined {
  const [, installed] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path) ?? []
  if (installed !== undefined) return installed
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name !== undefined) return folder
  }
  return undefined
}

/** A package with its licence and the texts that it comes with. */
export function describe(folder: string): BundledPackage {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const label = `${name}@${version}`
  // A choice may stand in brackets, which say nothing at the outside.
  const licence = typeof license === 'string' ? license.replace(/^\(([^()]*)\)$/, '$1') : ''
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && textName.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim())
  // Who has a copy must have all of the licence, which some packages only name.
  if (licence.includes('Apache-2.0') && !texts.some((text) => text.includes(apacheTerms)))
    texts.push(readText('Apache-2.0.txt'))
  if (texts.length > 0) return { label, licence, text: texts.join('\n\n') }
  if (licence === 'MIT') return { label, licence, text: standardText(name, author) }
  if (withoutText.includes(licence))
    return { label, licence, text: 'The package comes without a text of it, and it asks for none.' }
  throw new Error(`${label} (${licence || 'without a licence'}) comes without the text of its licence.`)
}

/** The text of MIT for a package that names it and leaves it out. */
function standardText(name: string, author: string | { name?: string } | undefined): string {
  const holder = (typeof author === 'object' ? author.name : author) ?? `the authors of ${name}`
  return readText('MIT.txt').replace('HOLDER', () => holder)
}

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8').trim()
}
