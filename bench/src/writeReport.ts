import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { drawGrowth } from './drawGrowth.ts'
import { replaceBetweenMarkers } from './readmeTable.ts'
import { formatDetails, formatTable, type RunReport } from './runReport.ts'

const home = join(import.meta.dirname, '..')
const root = join(home, '..')

/**
 * Writes the report of a run: `bench.md`, `bench.json` and, when growth was measured, `growth.svg`. A run for the README goes to
 * `report`, which is committed, and any other to `report/latest`, which is not.
 *
 * @returns the files that were written, from the root of the repository.
 */
export function writeReport(report: RunReport, { readme }: { readme: boolean }): string[] {
  const folder = join(home, 'report', readme ? '' : 'latest')
  const table = formatTable(report)
  const growth = report.outcomes.flatMap((outcome) => outcome.growth ?? [])
  const files: [file: string, text: string][] = [
    [join(folder, 'bench.md'), `# Benchmark\n\n${table}\n${formatDetails(report)}`],
    [join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`],
  ]
  if (growth.length > 0) files.push([join(folder, 'growth.svg'), drawGrowth(growth)])
  if (readme) {
    const file = join(root, 'README.md')
    const plot = growth.length > 0 ? '\n![Cost against growth](bench/report/growth.svg)\n' : ''
    files.push([file, replaceBetweenMarkers(readFileSync(file, 'utf8'), table + plot)])
  }
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of files) writeFileSync(file, text)
  return files.map(([file]) => relative(root, file))
}
