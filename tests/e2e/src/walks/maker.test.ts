import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secondsPerYear } from '@firmquote/core'
import { checkExecutability, ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Relay, startRelay } from '../cluster/startRelay.ts'
import { exampleCommands } from '../examples/exampleCommands.ts'
import { root } from '../pack.ts'
import { stopAfter } from '../stopAfter.ts'
import { killTerminals, openTerminal } from '../terminal.ts'

const source = readFileSync(join(root, 'examples/maker/maker.mjs'), 'utf8')

let stack: Stack
let line: Relay
const started = stopAfter(afterAll)
beforeAll(async () => {
  line = started(await startRelay(0))
  const settings = {
    AUCTION_DURATION_MS: '1500',
    // The maker signs only for the address it connects to.
    PUBLIC_WS_URL: `${line.url.replace('http', 'ws')}/ws/rfq`,
  }
  stack = started(await startStack(settings))
  line.leadTo(Number(new URL(stack.url).port))
  started({ stop: killTerminals })
}, 60_000)
test('behavior: the maker in examples/maker has at most 60 lines and uses none of our packages', () => {
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  expect(imported.sort()).toEqual(['node:crypto', 'viem', 'viem/accounts'])
  expect(source).not.toMatch(/import\(|require\(|@firmquote/)
})

test('default: works as its README says: is funded, its quote is accepted, wins and can be taken, and it reconnects', async () => {
  const { devnet, url } = stack
  const { contracts, publicClient } = devnet
  const [borrower] = devnet.borrowers
  const environment = { FIRMQUOTE_URL: line.url, RPC_URL: devnet.rpcUrl }
  const [fund, run] = exampleCommands('maker')

  const [, account] =
    /^(0x\w{40}) has 1,000,000 tUSD/m.exec(await openTerminal(fund, root, environment).succeeds()) ?? []
  const maker = openTerminal(run, root, environment)
  await maker.shows(/^authenticated/m)

  const client = new ServiceClient({
    orderbookUrl: url,
    chainId: devnet.chainId,
    quoteMarketAddress: contracts.quoteMarket,
    interestRatePoolAddress: contracts.interestRatePool,
  })
  const [{ poolId, series }] = devnet.pools
  const request = { poolId, seriesKey: series[1]?.seriesKey ?? poolId, notional: 250_000_000_000n }
  const { quotes, best } = await client.requestQuotes(request)
  await maker.shows(/^quote_ack accepted/m)
  await maker.shows(/^auction_result/m)

  expect(quotes.map(({ quote }) => quote.maker)).toEqual([account])
  expect(best?.notional).toBe(request.notional)
  const [first] = quotes
  if (!first) throw new TypeError('There is no quote.')
  const left = (series[1]?.expiry ?? 0) - Math.floor(first.receivedAt / 1_000)
  expect((Number(first.quote.vrtAmount) / Number(request.notional)) * (secondsPerYear / left)).toBeCloseTo(0.05, 4)
  const verdict = await checkExecutability(first.quote, {
    ...client.getConfig(),
    request,
    borrower: borrower.address,
    publicClient,
  })
  expect(verdict).toMatchObject({ executable: true })

  for (const mode of ['cut', 'pass'] as const) line.set(mode)
  await maker.shows(/^closed 1006[\s\S]*^authenticated/m)
  expect((await client.requestQuotes(request)).quotes.map(({ quote }) => quote.maker)).toEqual([account])
  await maker.interrupt()
}, 30_000)
