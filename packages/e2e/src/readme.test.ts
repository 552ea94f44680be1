import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { startDemoBacker } from '@firmquote/demo/demoBacker'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import type { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { curlStandIn } from './curlStandIn.ts'
import { root } from './pack.ts'
import { createProject, type Project } from './project.ts'
import { type ReadmeBlock, readmeBlocks } from './readmeBlocks.ts'
import { type Stack, startStack } from './stack.ts'

const readmes = [
  join(root, 'README.md'),
  ...['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((folder) => join(root, parent, folder, 'README.md')),
  ),
].filter((file) => existsSync(file))
const blocks = readmes.flatMap(readmeBlocks)

let project: Project
let stack: Stack
let backer: ServiceClient

beforeAll(async () => {
  // The demo as a reader has it, but with shorter auctions and on ports of its own.
  ;[project, stack] = await Promise.all([createProject(), startStack({ AUCTION_DURATION_MS: '1500' })])
  if (spawnSync('curl', ['--version']).error) chmodSync(project.write('node_modules/.bin/curl', curlStandIn), 0o755)
  backer = await startDemoBacker(stack.url, stack.devnet, {
    account: stack.devnet.backers[2],
    policy: { spreadBps: 20n, termBpsPerMonth: 0n },
    thinkMs: 0,
  })
}, 180_000)

afterAll(async () => {
  backer?.disconnectWebSocket()
  await stack?.stop()
  project?.remove()
}, 30_000)

/** The block as it is on this machine: the default ports are those of the test, placeholders are real. */
function localized({ text }: ReadmeBlock, devnet: Devnet = stack.devnet): string {
  const [pool] = devnet.pools
  return text
    .replaceAll('localhost:3005', new URL(stack.url).host)
    .replaceAll(/(?:127\.0\.0\.1|localhost):8545/g, new URL(devnet.rpcUrl).host)
    .replaceAll('POOL_ID', pool.poolId)
    .replaceAll('EXPIRY', String(pool.series[2]?.expiry))
}

/** Moves the clock of a chain, which then is of no use to the other examples. */
const timeTravel = /evm_increaseTime/

/** Lines that other tests run for real: what installs and starts things, here and in a registry. */
const elsewhere = /^\s*(?:npm|git|cd|pnpm) |^\s*#|^\s*$/
/** Programs that run until they are stopped. */
const endless = /npx @firmquote\/(?:server|devnet)(?!.*--help)/

describe('every example of every README', () => {
  test('behavior: there are examples to run', () => {
    expect(blocks.length).toBeGreaterThan(8)
  })

  test.each(blocks.filter(({ language }) => language === 'js').map((block) => [block.place, block] as const))(
    'default: js %s',
    async (place, block) => {
      const file = `${place.replaceAll(/[^a-zA-Z0-9]/g, '-')}.mjs`
      project.write(file, localized(block))
      await project.run(process.execPath, [file])
    },
    60_000,
  )

  const scripts = blocks
    .filter(({ language }) => language === 'sh')
    .map((block) => ({ ...block, text: block.text.replaceAll('\\\n', ' ') }))
    .map((block) => ({ ...block, lines: block.text.split('\n').filter((line) => !elsewhere.test(line)) }))
    .filter(({ lines }) => lines.length > 0)

  test.each(scripts.map((block) => [block.place, block] as const))(
    'default: sh %s',
    async (_place, block) => {
      const own = timeTravel.test(block.text) ? await startDevnet() : undefined
      for (const line of block.lines) {
        const command = localized({ ...block, text: line }, own)
        if (endless.test(command)) {
          // Beside the others: the environment moves the server, an option the devnet.
          const moved = command.replace(/npx @firmquote\/devnet$/, '$& --port 0')
          await project.runUntil(moved, /^ready |Ctrl-C stops it/m, { PORT: '0' })
        } else {
          const PATH = `${process.env['PATH']}${delimiter}${join(project.folder, 'node_modules/.bin')}`
          await project.run('bash', ['-euo', 'pipefail', '-c', command], { PATH })
        }
      }
      await own?.stop()
    },
    60_000,
  )
})
