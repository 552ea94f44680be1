// Draws bugs from the mutants of a mutation tool, among the code that the simulator runs, and prints them as source.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { PlantedBug } from '../src/planted.ts'
import { createRandom } from '../src/random.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const simulator = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** So many histories show which code runs at all: 20 of most scenarios. */
const histories = 180

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '25' },
    // What the simulator is about: the use cases, what decides, and the stores.
    in: {
      type: 'string',
      multiple: true,
      default: ['app', 'domain', 'adapters/sqliteStore', 'adapters/sqlStore'].map(
        (folder) => `apps/server/src/${folder}/`,
      ),
    },
  },
})
const measured = values.in

/** The ranges of V8's coverage: a later one is inside an earlier one, or beside it. */
type Ranges = { startOffset: number; endOffset: number; count: number }[]

/** The functions of each file that were loaded, as offsets into its text. */
function coverage(): Map<string, Ranges> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-coverage-'))
  try {
    const { status } = spawnSync(process.execPath, [simulator, '--from', '1', '--seeds', String(histories)], {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`The simulator ended with ${status}.`)
    const found = new Map<string, Ranges>()
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: { url: string; functions: { ranges: Ranges }[] }[]
      }
      for (const { url, functions } of result) {
        const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : ''
        if (measured.some((start) => file.startsWith(start)))
          found.set(
            file,
            functions.flatMap(({ ranges }) => ranges),
          )
      }
    }
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the code at an offset ran: what the smallest range around it says. */
function hasRun(ranges: Ranges, offset: number): boolean {
  let smallest: Ranges[number] | null = null
  for (const range of ranges) {
    if (offset < range.startOffset || offset >= range.endOffset) continue
    if (!smallest || range.endOffset - range.startOffset <= smallest.endOffset - smallest.startOffset) smallest = range
  }
  return smallest !== null && smallest.count > 0
}

/** The smallest stretch of whole lines around a place that is in its file once. */
function uniqueStretch(text: string, from: number, to: number): { from: number; to: number } {
  let start = text.lastIndexOf('\n', from - 1) + 1
  let end = endOfLine(text, to)
  while (text.split(text.slice(start, end)).length !== 2) {
    start = text.lastIndexOf('\n', start - 2) + 1
    end = endOfLine(text, end)
  }
  return { from: start, to: end }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

const silent = () => {}
const logger = {
  isDebugEnabled: () => false,
  isTraceEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

const ran = coverage()
const files = [...ran.keys()].sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const { mutants } = await new Instrumenter(logger).instrument(
  files.map((file) => ({ name: file, mutate: true, content: texts.get(file) ?? '' })),
  { plugins: null, excludedMutations: [], ignorers: [] },
)
const seed = Number(values.seed)
const random = createRandom(seed, 'drawn bugs')
const candidates = mutants.flatMap(({ fileName, location, replacement, mutatorName }): PlantedBug[] => {
  const text = texts.get(fileName) ?? ''
  const lines = text.split('\n')
  const offsetOf = ({ line, column }: { line: number; column: number }) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column
  const [from, to] = [offsetOf(location.start), offsetOf(location.end)]
  if (!hasRun(ran.get(fileName) ?? [], from)) return []
  const stretch = uniqueStretch(text, from, to)
  const place = `${fileName.replace('apps/server/src/', '')}:${location.start.line + 1}:${location.start.column + 1}`
  return [
    {
      name: `${place} ${mutatorName}`,
      file: fileName,
      find: text.slice(stretch.from, stretch.to),
      replace: text.slice(stretch.from, from) + replacement + text.slice(to, stretch.to),
    },
  ]
})
const drawn: PlantedBug[] = []
while (drawn.length < Number(values.count)) {
  const [bug] = candidates.splice(random.below(candidates.length), 1)
  if (bug) drawn.push(bug)
}
process.stdout.write(
  `// --seed ${seed}: ${drawn.length} of ${candidates.length + drawn.length} mutants that run, of ${mutants.length} in ${files.length} files.\n${JSON.stringify(drawn, null, 2)}\n`,
)
