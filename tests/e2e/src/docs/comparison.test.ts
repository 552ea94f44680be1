import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { root } from '../pack.ts'
import { createProject, type Project } from '../project.ts'
import { stopAfter } from '../stopAfter.ts'
import { fencedBlocks } from './fencedBlocks.ts'

// Compares apps/docs/guides/comparison.md with the programs in tests/comparison, whose types `npm run check` checks
// against the real packages. Runs only Firmquote's programs, because the other markets are not on this machine.

const folder = join(root, 'tests/comparison')
const page = readFileSync(join(root, 'apps/docs/guides/comparison.md'), 'utf8')
/** In the order of the table's columns. */
const libraries = ['firmquote', 'cowSdk', 'clobClient', 'hyperliquid']
/** A program that is shown below the table's, because Polymarket has two libraries. */
const newer = 'polymarketClient/take.ts'
const programs = libraries.flatMap((library) => [
  ...[`${library}/see.ts`, `${library}/take.ts`],
  ...(library === 'clobClient' ? [newer] : []),
])
const sourceOf = (program: string) => readFileSync(join(folder, 'src', program), 'utf8')

/** The cells of the row that begins with `title`. */
function row(title: string): string[] {
  const line = page.split('\n').find((candidate) => candidate.startsWith(`| ${title} |`)) ?? ''
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim())
}

/** Counts lines of code, without blank lines and comments. */
const countLines = (text: string) => text.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length
const linesToTake = libraries.map((library) => countLines(sourceOf(`${library}/take.ts`)))
/** Lines from the comment "Once per wallet" to the next blank line. */
const onceLines = libraries.map((library) =>
  countLines(/^\/\/ Once per wallet.*?\n\n/ms.exec(sourceOf(`${library}/take.ts`))?.[0] ?? ''),
)

test('behavior: the page contains exactly the programs whose types are checked', () => {
  expect(globSync('*/*.ts', { cwd: join(folder, 'src') }).sort()).toEqual([...programs].sort())
  expect(fencedBlocks(page).map(({ text }) => `${text}\n`)).toEqual(programs.map(sourceOf))
})

test("behavior: the table states the programs' lines", () => {
  const linesToSee = libraries.map((library) => countLines(sourceOf(`${library}/see.ts`)))
  expect(row('Lines to see a price')).toEqual(linesToSee.map(String))
  expect(row('Lines to see and take it')).toEqual(linesToTake.map(String))
  expect(row('of these, once per wallet')).toEqual(onceLines.map(String))
  expect(row('without these')).toEqual(linesToTake.map((lines, index) => String(lines - (onceLines[index] ?? 0))))
})

test('behavior: the table puts Firmquote first in lines to take a price, and the page names the shorter program', () => {
  const [ours = 0, ...others] = linesToTake
  expect(onceLines[0]).toBe(0)
  expect(ours).toBeLessThan(Math.min(...others))
  expect(ours).toBeLessThan(Math.min(...others.map((lines, index) => lines - (onceLines[index + 1] ?? 0))))
  expect(page).toContain(`needs ${countLines(sourceOf(newer))} lines:\n`)
  expect(page).toContain(`needs [${countLines(sourceOf(newer))} lines](#clob-client)`)
  expect(ours - countLines(sourceOf(newer))).toBe(3)
})

test('behavior: the page names the installed versions', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const [name, version] of Object.entries<string>(devDependencies)) {
    expect(page).toContain(/^\d/.test(version) ? `\`${name}\` ${version}` : `\`${name}\``)
  }
})

describe('the packed packages', () => {
  let project: Project
  const started = stopAfter(afterAll)
  beforeAll(async () => {
    project = await createProject()
    started({ stop: project.remove })
  }, 180_000)

  /** The size of a program's bundle in bytes, compressed, without viem. */
  async function bundledBytes(program: string): Promise<number> {
    const entry = program.startsWith('firmquote') ? project.write('bundled.ts', sourceOf(program)) : undefined
    const { outputFiles } = await build({
      ...{ entryPoints: [entry ?? join(folder, 'src', program)], external: ['viem', 'viem/*'], write: false },
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022' },
    })
    return gzipSync(outputFiles[0]?.contents ?? '').length
  }

  test.each([
    ['kB gzipped, to see a price', 'see'],
    ['kB gzipped, to see and take it', 'take'],
  ])('behavior: "%s" is at most a tenth from the measured sizes', async (title, step) => {
    const stated = row(title).map((cell) => Number(cell) * 1_000)
    const measured: number[] = []
    for (const library of libraries) measured.push(await bundledBytes(`${library}/${step}.ts`))
    const wrong = measured.filter((bytes, index) => !(Math.abs((stated[index] ?? 0) - bytes) <= bytes / 10))
    expect({ wrong, measured }).toEqual({ wrong: [], measured })
  })

  test("default: Firmquote's programs show a rate, and fix it", async () => {
    const stack = started(await startStack({ AUCTION_DURATION_MS: '1500' }))
    const account = stack.devnet.backers[2]
    const backer = started(startDaemon(stack, { account, folder: join(project.folder, 'backer'), spreadBps: 20 }))
    await backer.says(/^ready /m)
    const run = (program: string) => {
      const text = sourceOf(program)
        .replace('localhost:3005', new URL(stack.url).host)
        .replace('127.0.0.1:8545', new URL(stack.devnet.rpcUrl).host)
      return project.run(process.execPath, [project.write('program.ts', text)])
    }
    expect(await run('firmquote/see.ts')).toMatch(/^\d+\.\d+\n$/)
    expect(await run('firmquote/take.ts')).toMatch(/^\d+\.\d+\nfixed 250000000000 for \d+\n$/)
  }, 60_000)
})
