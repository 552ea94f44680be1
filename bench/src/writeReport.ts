import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join, relative } from 'node:path'
import { headlines } from './goals.ts'
import { formatDetails, formatTable, type Report, replaceBetweenMarkers } from './report.ts'

const home = join(import.meta.dirname, '..')
const root = join(home, '..')

/**
 * Describes a run's machine, date and commit. Ratios carry over to other machines; absolute rates do not. A commit with
 * local changes is marked with `+`.
 */
export function describeThisMachine(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'
  const commit = `${git('rev-parse', '--short', 'HEAD') || 'unknown'}${changed}`
  const hardware = `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const day = new Date().toISOString().slice(0, 10)
  return `${hardware}, ${type()} ${release()}, Node ${process.versions.node}, ${day}, commit ${commit}`
}

/**
 * Writes `bench.md` and `bench.json`. A run for the README writes to `report`, which is committed. Other runs write to
 * `report/latest`, which git ignores.
 *
 * @returns paths of the written files, relative to the repository's root.
 */
export function writeReport(report: Report, { readme }: { readme: boolean }): string[] {
  const folder = join(home, 'report', readme ? '' : 'latest')
  const readmeFile = join(root, 'README.md')
  const files: [file: string, text: string][] = [
    [join(folder, 'bench.md'), `# Benchmark\n\n${formatTable(report)}\n${formatDetails(report)}`],
    [join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`],
  ]
  if (readme) {
    const text = replaceBetweenMarkers(readFileSync(readmeFile, 'utf8'), formatTable(report, headlines))
    files.push([readmeFile, text])
  }
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of files) writeFileSync(file, text)
  return files.map(([file]) => relative(root, file))
}
