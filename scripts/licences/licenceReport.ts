import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLicences } from './allowedLicences.ts'

/** The file that lists a build's bundled third-party packages. */
export const reportName = 'THIRD_PARTY_LICENSES.txt'

/**
 * A bundled package. `label` is the package's name and version, `licence` an SPDX expression, and `text` the licence
 * texts to include.
 */
export type BundledPackage = { label: string; licence: string; text: string }

const rule = `\n\n${'-'.repeat(80)}\n\n`
const opening = 'This build contains, besides code of Firmquote:'

/**
 * Formats a build's report, sorted by label.
 *
 * @throws Error naming each package whose licence is unknown or not allowed
 */
export function formatReport(packages: BundledPackage[]): string {
  const refused = packages.filter(({ licence }) => chooseLicences(licence) === undefined)
  if (refused.length > 0) {
    const names = refused.map(({ label, licence }) => `${label} (${licence || 'without a licence'})`)
    throw new Error(`Bundled packages need a licence from scripts/licences/allowedLicences.ts: ${names.join(', ')}.`)
  }
  const unique = [...new Map(packages.map((one) => [one.label, one])).values()]
  const sorted = unique.sort((a, b) => (a.label < b.label ? -1 : 1))
  const titles = sorted.map(({ label, licence }) => `${label} (${licence})`)
  // A licence text containing the separator would be parsed as two texts.
  const texts = sorted.map(({ text }, index) => `${titles[index]}\n\n${text.trim().replaceAll(rule, '\n\n')}`)
  return `${[`${opening}\n\n${titles.join('\n')}`, ...texts].join(rule)}\n`
}

/**
 * Parses the packages from a report.
 *
 * @throws Error if the text is not a report
 */
export function parseReport(report: string): BundledPackage[] {
  const [head = '', ...sections] = report.trimEnd().split(rule)
  if (!head.startsWith(opening)) throw new Error('Not a licence report.')
  return sections.map((section) => {
    const [, label = '', licence = '', text = ''] = /^(\S+@[^\s@]+) \(([^\n]+)\)\n\n(.*)$/s.exec(section) ?? []
    if (label === '') throw new Error(`Not a section of a licence report: ${section.slice(0, 80)}`)
    return { label, licence, text }
  })
}

/** Reads a build's reports, including those of web apps it contains. */
export function licenceReports(folder: string): string[] {
  return globSync(`**/${reportName}`, { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
}

/**
 * Returns a published package's licence as an SPDX expression combining its own licence and those of all bundled
 * packages.
 */
export function licenceOfBuild(own: string, reports: string[]): string {
  const found = reports.flatMap(parseReport).flatMap(({ licence }) => chooseLicences(licence) ?? [])
  return [own, ...[...new Set(found)].filter((id) => id !== own).sort()].join(' AND ')
}
