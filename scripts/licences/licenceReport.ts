import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { chooseLicences } from './allowedLicences.ts'

/** The file in a build that names what others have written of it. */
export const reportName = 'THIRD_PARTY_LICENSES.txt'

/** A package that is part of a build: its name with its version, its licence as an SPDX expression, and the texts that must go with it. */
export type BundledPackage = { label: string; licence: string; text: string }

const rule = `\n\n${'-'.repeat(80)}\n\n`
const opening = 'This build contains, beside code of Firmquote:'
const titleForm = /^(\S+@[^\s@]+) \((.+)\)$/

/**
 * The report of a build, in the order of the labels.
 *
 * @throws Error that names each package whose licence is unknown or not allowed
 */
export function formatReport(packages: BundledPackage[]): string {
  const refused = packages.filter(({ licence }) => chooseLicences(licence) === undefined)
  if (refused.length > 0) {
    const names = refused.map(({ label, licence }) => `${label} (${licence || 'without a licence'})`)
    throw new Error(`What is bundled must have a licence of scripts/licences/allowedLicences.ts: ${names.join(', ')}.`)
  }
  const unique = [...new Map(packages.map((one) => [one.label, one])).values()]
  const sorted = unique.sort((a, b) => (a.label < b.label ? -1 : 1))
  const titles = sorted.map(({ label, licence }) => `${label} (${licence})`)
  // A text that holds the rule itself would be read as two.
  const texts = sorted.map(({ text }, index) => `${titles[index]}\n\n${text.trim().replaceAll(rule, '\n\n')}`)
  return `${[`${opening}\n\n${titles.join('\n')}`, ...texts].join(rule)}\n`
}

/**
 * What a report names.
 *
 * @throws Error for a text that is no report
 */
export function parseReport(report: string): BundledPackage[] {
  const [head = '', ...sections] = report.trimEnd().split(rule)
  if (!head.startsWith(opening)) throw new Error('This is no report of licences.')
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n')
    const [, label, licence] = titleForm.exec(title) ?? []
    if (label === undefined || licence === undefined)
      throw new Error(`A report of licences has the title ${JSON.stringify(title)}.`)
    return { label, licence, text: lines.join('\n').trim() }
  })
}

/** Every report in a build: its own, and those of pages that it holds. */
export function licenceReports(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => basename(file) === reportName).map((file) => readFileSync(join(folder, file), 'utf8'))
}

/** The licence of a package as an SPDX expression that is true of its build: that of its own code, and of all that was built in. */
export function licenceOfBuild(own: string, reports: string[]): string {
  const found = reports.flatMap(parseReport).flatMap(({ licence }) => chooseLicences(licence) ?? [])
  return [own, ...[...new Set(found)].filter((id) => id !== own).sort()].join(' AND ')
}
