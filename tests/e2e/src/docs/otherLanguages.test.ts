import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findGo, findPython, goPath } from '@firmquote/cluster/findPrograms'
import { type DevnetAccount, quoteMarketAbi } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { until } from '@firmquote/test-support/until'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type Relay, startRelay } from '../cluster/startRelay.ts'
import { exampleCommands } from '../examples/exampleCommands.ts'
import { root } from '../pack.ts'
import { readmeBlocks } from '../readmeBlocks.ts'
import { stopAfter } from '../stopAfter.ts'
import { killTerminals, openTerminal } from '../terminal.ts'

// Runs the makers in Python and Go with Debian's libraries, as apps/docs/guides/other-languages.md and their READMEs
// describe. Replaces only the demo's ports, the key, and the commands that download modules.

// Compiles a Go program without a cache, on a machine that may be busy.
jest.setTimeout(90_000)

const [npmStart, mint, approve] = readmeBlocks(join(root, 'apps/docs/guides/other-languages.md')).map(
  ({ text }) => text,
)

const languages = [
  {
    language: 'Python',
    program: findPython(),
    folder: 'examples/maker-python',
    files: ['maker.py'],
    download: /^pip install -r examples\/maker-python\/requirements\.txt$/,
    // anvil's account 9, which examples/maker/demo.env names.
    key: null,
  },
  {
    language: 'Go',
    program: findGo(),
    folder: 'examples/maker-go',
    files: ['maker.go', 'ethereum.go'],
    download: /^cd examples\/maker-go && go mod tidy$/,
    // anvil's account 8, so that this maker grants its own allowance.
    key: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  },
]

let stack: Stack
let line: Relay
let environment: Record<string, string>
const started = stopAfter(afterAll)
beforeAll(async () => {
  line = started(await startRelay(0))
  const settings = { AUCTION_DURATION_MS: '2500', SYNC_INTERVAL_MS: '100' }
  // The makers sign only for the address they connect to.
  stack = started(await startStack({ ...settings, PUBLIC_WS_URL: `${line.url.replace('http', 'ws')}/ws/rfq` }))
  line.leadTo(Number(new URL(stack.url).port))
  started({ stop: killTerminals })

  const programs = join(stack.folder, 'bin')
  mkdirSync(programs)
  const write = (name: string, file: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\nexec ${file} "$@"\n`, { mode: 0o755 })
  write('cast', `'${process.execPath}' '${join(root, 'tests/e2e/scripts/castStandIn.ts')}'`)
  for (const [name, program] of [['python3', findPython()] as const, ['go', findGo()] as const]) {
    if (program) write(name, program)
  }
  environment = {
    PATH: `${programs}${delimiter}${process.env['PATH']}`,
    ...{ GO111MODULE: 'off', GOPATH: goPath, GOCACHE: join(stack.folder, 'go-cache'), PYTHONDONTWRITEBYTECODE: '1' },
  }
})

afterEach(() => line.set('pass'))

/** Writes the demo's settings for this test's ports and key. Returns a function that puts them into a command. */
function useSettings(name: string, key: string | null) {
  const file = join(stack.folder, `${name}.env`)
  const changes = { FIRMQUOTE_URL: line.url, RPC_URL: stack.devnet.rpcUrl, ...(key && { PRIVATE_KEY: key }) }
  const demo = readFileSync(join(root, 'examples/maker/demo.env'), 'utf8')
  writeFileSync(
    file,
    Object.entries(changes).reduce(
      (text, [variable, value]) => text.replace(new RegExp(`^${variable}=.*$`, 'm'), `${variable}=${value}`),
      demo,
    ),
  )
  return (command = '') => {
    const changed = command.replace(/\. examples\/maker\/demo\.env/, `. ${file}`)
    expect(changed).not.toBe(command)
    return changed
  }
}

async function take({ address, privateKey }: DevnetAccount, client: ServiceClient, quotes: Quotes): Promise<void> {
  const { devnet } = stack
  const [best] = quotes
  if (!best) throw new TypeError('There is no quote.')
  const { signature, ...quote } = best.quote
  const hash = await devnet.walletClient({ address, privateKey }).writeContract({
    address: devnet.contracts.quoteMarket,
    abi: quoteMarketAbi,
    functionName: 'takeQuote',
    args: [quote, signature, quote.vrtAmount],
  })
  expect((await devnet.publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
  await until(async () => (await client.getQuoteMarketQuote(best.hash)).status === 'filled')
}
type Quotes = Awaited<ReturnType<ServiceClient['requestQuotes']>>['quotes']

test('behavior: the page starts the demo, and its approval sets the allowance', async () => {
  expect(npmStart).toBe('npm start')
  const settings = useSettings('page', stack.devnet.newcomers[2].privateKey)
  const said = await openTerminal(`${settings(mint)}\n${approve}`, root, environment).succeeds()
  expect(said).toMatch(/^0x\w{64}\n0x\w{64}\n500000000000\n$/)
})

describe.each(languages)('the maker in $language', ({ language, program, folder, files, download, key }) => {
  const withProgram = program ? test : test.skip

  test('behavior: has at most 150 lines, pinned modules and none of our packages', () => {
    for (const file of files) {
      const source = readFileSync(join(root, folder, file), 'utf8')
      expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
      expect(source).not.toContain('@firmquote')
    }
    expect(exampleCommands(folder.split('/')[1] ?? '')[0]).toMatch(download)
  })

  withProgram("default: its signatures match the protocol's test vectors", async () => {
    const [, vectors] = readmeBlocks(join(root, folder, 'README.md'))
    expect(await openTerminal(vectors?.text, root, environment).succeeds()).toMatch(/^(?:Ran 2 tests|ok)\b/m)
  })

  withProgram(
    'default: is funded, approves, is accepted and filled, resumes after a broken connection, and answers again',
    async () => {
      const { devnet, url } = stack
      const [, run] = exampleCommands(folder.split('/')[1] ?? '')
      const settings = useSettings(language, key)
      await openTerminal(settings(mint), root, environment).succeeds()
      const maker = openTerminal(settings(run), root, environment)
      await maker.shows(/^approved 500000000000$[\s\S]*^authenticated/m)

      const client = new ServiceClient({ orderbookUrl: url })
      const [{ poolId, series }] = devnet.pools
      const request = { poolId, seriesKey: series[2]?.seriesKey ?? poolId, notional: 100_000_000_000n }
      const { quotes } = await client.requestQuotes(request)
      expect(quotes).toHaveLength(1)
      await maker.shows(/^quote_ack accepted 0x\w{64}/m)

      line.set('cut')
      await maker.shows(/^closed/m)
      await take(devnet.borrowers[0], client, quotes)
      line.set('pass')
      await maker.shows(/^closed[\s\S]*^authenticated[\s\S]*^quote_status filled 0x\w{64}[\s\S]*^resumed/m)

      expect((await client.requestQuotes(request)).quotes).toHaveLength(1)
      await maker.shows(/(?:^quote_ack accepted [\s\S]*){2}/m)
      await maker.interrupt()
    },
  )
})

const go = findGo()
const withGo = go ? test : test.skip
withGo('behavior: the Go files are formatted', () => {
  const { stdout, stderr, status } = spawnSync(`${go}fmt`, ['-l', 'examples/maker-go'], { cwd: root, encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})
