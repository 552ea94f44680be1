import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secondsPerYear } from '@firmquote/core'
import { checkExecutability, ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/testing/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
const source = readFileSync(join(root, 'docs/examples/maker.mjs'), 'utf8')

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '1500' })
}, 60_000)
afterAll(() => stack?.stop(), 30_000)

test('behavior: the maker of docs/examples has at most 60 lines, and none of our packages', () => {
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  expect(imported.sort()).toEqual(['node:crypto', 'viem', 'viem/accounts'])
  expect(source).not.toMatch(/import\(|require\(|@firmquote/)
})

test('default: it authenticates, its quote is accepted, wins and can be taken', async () => {
  const { devnet } = stack
  const { backers, borrowers, contracts, publicClient } = devnet
  const [maker, [borrower]] = [backers[0], borrowers]
  if (!maker || !borrower) throw new TypeError('The devnet has no accounts.')
  // From its input, so that it finds viem where this package does.
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: join(root, 'packages/e2e'),
    env: {
      ...process.env,
      FIRMQUOTE_URL: stack.url,
      RPC_URL: devnet.rpcUrl,
      QUOTE_MARKET: contracts.quoteMarket,
      PRIVATE_KEY: maker.privateKey,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    let said = ''
    const says = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => said.includes(text) && resolve()
        child.stdout.on('data', look)
        child.once('exit', () => reject(new Error(`It ended without saying ${text}: ${said}`)))
        look()
      })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.stdin.end(source)
    await says('authenticated')

    const client = new ServiceClient({
      orderbookUrl: stack.url,
      chainId: devnet.chainId,
      quoteMarketAddress: contracts.quoteMarket,
      interestRatePoolAddress: contracts.interestRatePool,
    })
    const [{ poolId, series }] = devnet.pools
    const request = { poolId, seriesKey: series[1]?.seriesKey ?? poolId, notional: 250_000_000_000n }
    const { quotes, best } = await client.requestQuotes(request)
    await says('quote_ack accepted')
    await says('auction_result')

    expect(quotes.map(({ quote }) => quote.maker)).toEqual([maker.address])
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
  } finally {
    child.kill()
    await ended
  }
}, 30_000)
