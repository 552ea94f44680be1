import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { root } from './pack.ts'
import { createProject, type Project } from './project.ts'
import { readmeBlocks } from './readmeBlocks.ts'
import { stopAfter } from './stopAfter.ts'
import { openTerminal } from './terminal.ts'

const readmes = [
  join(root, 'README.md'),
  ...['cli', 'daemon-fills', 'daemon-pricing', 'metrics', 'sdk-making', 'sdk-taking'].map((name) =>
    join(root, `docs/${name}.md`),
  ),
  ...['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((folder) => join(root, parent, folder, 'README.md')),
  ),
].filter((file) => existsSync(file))

let project: Project
let stack: Stack
const started = stopAfter(afterAll)

beforeAll(async () => {
  // Like the reader's demo, but with shorter auctions and free ports.
  ;[project, stack] = await Promise.all([createProject(), startStack({ AUCTION_DURATION_MS: '1500' })])
  started({ stop: project.remove })
  started(stack)
  const account = stack.devnet.backers[2]
  const backer = started(startDaemon(stack, { account, folder: join(project.folder, 'backer'), spreadBps: 20 }))
  await backer.says(/^ready /m)
}, 180_000)

/** Adapts a block to this machine: replaces its ports with the test's, and its placeholders with real values. */
function localized(text: string, devnet: Devnet = stack.devnet): string {
  const [pool] = devnet.pools
  return text
    .replaceAll('localhost:3005', new URL(stack.url).host)
    .replaceAll(/(?:127\.0\.0\.1|localhost):8545/g, new URL(devnet.rpcUrl).host)
    .replaceAll('POOL_ID', pool.poolId)
    .replaceAll('EXPIRY', String(pool.series[2]?.expiry))
    .replaceAll('SERIES_KEY', String(pool.series[2]?.seriesKey))
    .replaceAll(/\bMAKER\b/g, () => addressOf(join(project.folder, 'maker/keystore.json')))
    .replace(/npx @firmquote\/devnet fund \S+/, `$& --port ${new URL(devnet.rpcUrl).port}`)
}

/** Returns the address of a keystore's key. */
function addressOf(keystore: string): string {
  return `0x${(JSON.parse(readFileSync(keystore, 'utf8')) as { address: string }).address}`
}

/** Matches commands that advance a chain's clock, making the chain unusable for other examples. */
const timeTravel = /evm_increaseTime/

/** Matches lines covered by other tests, namely those that install and start programs. */
const elsewhere = /^\s*(?:npm|git|cd|pnpm) |^\s*#|^\s*$/
/** Matches programs that run until they are stopped. */
const endless = /npx @firmquote\/(?:server|devnet|daemon|demo)(?! init| approve| fund)(?!.*--help)/

/** Settings from the daemon's README, filled in with a reader's values. */
const daemonSettings = (): Record<string, string> => ({
  FIRMQUOTE_KEYSTORE_PASSWORD: 'a password of an example',
  FIRMQUOTE_SERVICE_URL: stack.url,
  FIRMQUOTE_RPC_URL: stack.devnet.rpcUrl,
  FIRMQUOTE_SOCKET: join(project.folder, 'daemon.sock'),
  // This chain mines only when there are transactions, so its latest block may be old.
  FIRMQUOTE_MAX_BLOCK_AGE_SECONDS: '36000',
})

async function runScript(text: string): Promise<void> {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  const own = timeTravel.test(text) ? await startDevnet() : undefined
  for (const line of lines.filter((candidate) => !elsewhere.test(candidate))) {
    const command = localized(line, own)
    if (endless.test(command)) {
      // Avoids port conflicts. The server's port is set in the environment, the devnet's by an option.
      const moved = command.replace(/npx @firmquote\/devnet$/, '$& --port 0')
      const ports = command.endsWith('demo')
        ? { PORT: String(await freePort()), RPC_PORT: String(await freePort()) }
        : { PORT: '0' }
      const terminal = openTerminal(moved, project.folder, { ...ports, ...daemonSettings() })
      await terminal.shows(/^ready |Ctrl-C stops it/m)
      await terminal.interrupt()
    } else {
      const PATH = [process.env['PATH'], join(project.folder, 'node_modules/.bin')].join(delimiter)
      const env = { PATH, FIRMQUOTE_URL: stack.url, ...daemonSettings() }
      await project.run('bash', ['-euo', 'pipefail', '-c', command], env)
    }
  }
  await own?.stop()
}

async function runModule(text: string, name: string): Promise<void> {
  const file = `${name}.mjs`
  project.write(file, localized(text))
  await project.run(process.execPath, [file])
}

describe('every example in every README, from top to bottom', () => {
  test.each(readmes.map((file) => [relative(root, file), readmeBlocks(file)] as const))(
    'default: %s',
    async (_file, blocks) => {
      expect(blocks).not.toEqual([])
      for (const block of blocks) {
        try {
          if (block.language === 'js') await runModule(block.text, block.place.replaceAll(/[^a-zA-Z0-9]/g, '-'))
          else await runScript(block.text)
        } catch (cause) {
          throw new TypeError(`The example at ${block.place} does not work.`, { cause })
        }
      }
    },
    60_000,
  )
})
