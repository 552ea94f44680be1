import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Options } from './commandLine.ts'
import { drawnBugs } from './drawnBugs.ts'
import { type PlantedBug, plantedBugs } from './planted.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What a history depends on: the sources, and beside them what they import. */
const sources = ['tests/simulator/src', 'packages/core/test', 'apps/server/src', 'apps/daemon/src/domain']
const links = ['tests/simulator/node_modules', 'apps/server/node_modules', 'apps/daemon/node_modules']
const manifests = ['tests/simulator/package.json', 'apps/server/package.json', 'apps/daemon/package.json']

/** The share of the bugs that must be found. */
const leastFound = 0.94
/** A history takes far less than a tenth of a second: one that hangs is found as well. */
const hangsAfterMs = 900_000

/**
 * Plants bugs in a copy of the sources, one at a time, and counts the histories until one of them fails.
 *
 * @returns whether enough of them were found.
 */
export async function runPlanted(options: Options, write: (text: string) => void): Promise<boolean> {
  const { seeds, from, scenarios, patterns } = options
  const chosen = [...plantedBugs, ...drawnBugs].filter(
    ({ name }) => patterns.length === 0 || patterns.some((text) => name.includes(text)),
  )
  write(`Planting ${chosen.length} bugs, each for up to ${seeds} histories from --from ${from}\n`)
  let found = 0
  for (const bug of chosen) {
    const folder = mkdtempSync(join(tmpdir(), 'firmquote-planted-'))
    try {
      copySources(folder)
      plant(folder, bug)
      const args = ['--first', '--from', String(from), '--seeds', String(seeds)]
      const [scenario] = scenarios
      if (scenarios.length === 1 && scenario) args.push('--scenario', scenario)
      const { ended, output } = await run(join(folder, 'tests/simulator/src/main.ts'), args)
      const what = /FAILED --(.*)\n(.*)/.exec(output)
      const histories = /^(\d+) histories/m.exec(output)?.[1]
      // A run that has not reached everything fails, too, and finds nothing by that.
      if (ended === 0 || (histories !== undefined && !what)) {
        write(`NOT FOUND in ${seeds}: ${bug.name}\n`)
        continue
      }
      found += 1
      write(
        `found after ${(histories ?? 'a hang or a crash').padStart(4)}: ${bug.name}; ${what?.[2] ?? output.slice(-200)}\n`,
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const missed = chosen.length - found
  write(`Planted bugs: ${found} found, ${missed} not found\n`)
  return found >= Math.ceil(chosen.length * leastFound)
}

/** What a file would be with a bug in it. @throws {TypeError} when the text is not there exactly once. */
export function plantedText(text: string, { name, find, replace }: PlantedBug): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new TypeError(`The place of "${name}" is there ${parts.length - 1} times.`)
  return parts.join(replace)
}

function copySources(folder: string): void {
  for (const path of sources) cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const path of [...links, ...manifests]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
}

function plant(folder: string, bug: PlantedBug): void {
  const file = join(folder, bug.file)
  writeFileSync(file, plantedText(readFileSync(file, 'utf8'), bug))
}

/** Runs a program with this Node to its end; `ended` is its exit code, or null when a signal ended it. */
function run(file: string, args: readonly string[]): Promise<{ ended: number | null; output: string }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), hangsAfterMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (ended) => {
      clearTimeout(timer)
      resolve({ ended, output })
    })
  })
}
