// A stranger tries to change a day's fixed rate to 0 %.
//
// Each of the first two attacks requires a new key, 100 tUSD that the attacker keeps, and one auction for a random taker or one
// request. The third requires two keys, 100 tUSD that stay locked until the series expires, and the gas for twenty
// fills. To move the median, the attacker's own fills must reach half of the day's notional, which stays locked until
// then.

import { randomBytes } from 'node:crypto'
import { deserializeSignedQuote, secondsPerYear } from '@firmquote/core'
import type { DevnetAccount, DevnetSeries } from '@firmquote/devnet'
import { approveParameters, ServiceClient, setOperatorParameters, takeQuoteParameters } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { servedBy } from '@firmquote/test-support/trial'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, bytesToHex, erc20Abi, getAddress, type Hex, zeroAddress } from 'viem'
import { startBacker } from '../plannedBacker.ts'
import { quoteOf, signerOf } from '../quoteOf.ts'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin } from './adversarialFixture.ts'
import { createAccount } from './owe.ts'

const usd = 1_000_000n
const funds = 100n * usd
const dust = 5n * usd
const honestFills = [
  { notional: 10_000n * usd, percent: 5n },
  { notional: 40_000n * usd, percent: 6n },
  { notional: 20_000n * usd, percent: 9n },
]
const honestSum = 70_000n * usd

const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))

const started = stopAfter(afterAll)
let stack: Stack

async function mined(from: DevnetAccount, call: object): Promise<void> {
  const hash = await stack.devnet.walletClient(from).writeContract(call as never)
  const { status } = await stack.devnet.publicClient.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
}

/** Transfers tokens to an account and lets the market spend them. */
async function fund(account: DevnetAccount, amount: bigint): Promise<void> {
  const { loanToken } = stack.devnet.contracts
  const to = [account.address, amount] as const
  await mined(stack.devnet.backers[0], { address: loanToken, abi: erc20Abi, functionName: 'transfer', args: to })
  await mined(account, approveParameters({ loanToken, amount }))
}

/** A devnet series that only one of the tests uses. */
type Market = Pick<DevnetSeries, 'seriesKey' | 'expiry'> & { poolId: Hex }

/** Signs a quote at an APR in percent, from now until the series expires. */
async function sign(
  maker: DevnetAccount,
  { poolId, seriesKey, expiry }: Market,
  { notional, percent, taker = zeroAddress }: { notional: bigint; percent: bigint; taker?: Address },
) {
  const { timestamp } = await stack.devnet.publicClient.getBlock()
  const vrtAmount = (notional * percent * (BigInt(expiry) - timestamp)) / (100n * BigInt(secondsPerYear))
  const quote = quoteOf(maker.address, { poolId, seriesKey, notional, vrtAmount, taker })
  return signerOf(stack.devnet, maker.privateKey).signQuoteMarketQuote(quote)
}

async function fill(maker: DevnetAccount, borrower: DevnetAccount, market: Market, notional: bigint, percent: bigint) {
  const quote = await sign(maker, market, { notional, percent })
  await mined(borrower, takeQuoteParameters(deserializeSignedQuote(quote)))
}

/** The newest fills of a series on every server. Each call reads a different range, because answers are cached. */
let hoursBack = 24
async function readFills({ poolId, seriesKey }: Market) {
  hoursBack += 1
  const { timestamp } = await stack.devnet.publicClient.getBlock()
  const range = { poolId, from: Number(timestamp) - hoursBack * 3_600, to: Number(timestamp) }
  return Promise.all(
    stack.servers.urls.map(async (orderbookUrl) => {
      const { fixed } = await new ServiceClient({ orderbookUrl }).getRateHistory(range)
      return fixed.find((one) => one.seriesKey === seriesKey)?.points.at(-1)?.fills ?? null
    }),
  )
}

/** Checks that every server, once it has dated these fills, counts them with this median APR in percent. */
async function expectFills(market: Market, count: number, notional: bigint, apr: number): Promise<void> {
  await holdsWithin(20_000, async () => (await readFills(market)).every((fills) => fills?.count === count))
  const expected = { count, notional, apr: expect.closeTo(apr, 1) }
  expect(await readFills(market)).toMatchObject(stack.servers.urls.map(() => expected))
}

/** Makes the honest fills in a series, and creates an attacker with its own tokens. */
async function prepare(index: number): Promise<{ market: Market; attacker: DevnetAccount }> {
  const { pools, backers, borrowers, testClient } = stack.devnet
  const [{ poolId, series }] = pools
  const market = { poolId, ...(series[index] as DevnetSeries) }
  for (const { notional, percent } of honestFills) await fill(backers[1], borrowers[0], market, notional, percent)
  await expectFills(market, honestFills.length, honestSum, 6)
  const attacker = await createAccount(testClient)
  await fund(attacker, funds)
  return { market, attacker }
}

// In a mixed cluster, the old program may follow the chain, and it does not date fills.
const given = servedBy === 'old-and-new' ? describe.skip : describe
given("a day's fixed rate is the median of the honest fills", () => {
  beforeAll(async () => {
    stack = started(await startStack({ AUCTION_DURATION_MS: '1000' }))
    // All fills must be made on the same day.
    const { timestamp } = await stack.devnet.publicClient.getBlock()
    if (timestamp % 86_400n > 86_400n - 120n) await stack.devnet.testClient.increaseTime({ seconds: 120 })
  }, 60_000)

  test('behavior: although a stranger answers its own auction for a random taker at 0 %', async () => {
    const { market, attacker } = await prepare(0)
    const taker = randomAddress()
    const verdicts: string[] = []
    const backer = await startBacker(stack.url, attacker, {
      quote: (rfq) => (rfq.taker === taker ? { vrtAmount: 0n } : null),
      onVerdict: ({ status }) => verdicts.push(status),
    })
    const { poolId, seriesKey } = market
    const client = new ServiceClient({ orderbookUrl: stack.url })
    const { quotes } = await client.requestQuotes({ poolId, seriesKey, notional: funds, taker })
    backer.stop()
    expect({ verdicts, aprs: quotes.map(({ apr }) => apr) }).toEqual({ verdicts: ['accepted'], aprs: [0] })
    // A rate derived from the auction would be visible by now, because its close is stored.
    await expectFills(market, honestFills.length, honestSum, 6)
  }, 60_000)

  test('behavior: although a stranger publishes a quote at 0 % for a random taker', async () => {
    const { market, attacker } = await prepare(1)
    const quote = await sign(attacker, market, { notional: funds, percent: 0n, taker: randomAddress() })
    const headers = { 'content-type': 'application/json' }
    const published = await fetch(`${stack.url}/api/v1/quotes`, {
      method: 'POST',
      headers,
      body: JSON.stringify(quote),
    })
    expect(published.status).toBe(201)
    await expectFills(market, honestFills.length, honestSum, 6)
  }, 60_000)

  test('behavior: although a stranger fills its own quotes at 0 %, until they are half of the notional', async () => {
    const { market, attacker } = await prepare(2)
    const second = await createAccount(stack.devnet.testClient)
    await mined(second, setOperatorParameters())
    for (let count = 0; count < 20; count += 1) await fill(attacker, second, market, dust, 0n)
    expect(20n * dust).toBe(funds)
    await expectFills(market, 23, honestSum + funds, 6)

    // Once it has filled as much as the honest users, the attacker sets the median. The sum shows how much it locked.
    await fund(attacker, honestSum)
    await fill(attacker, second, market, honestSum - funds, 0n)
    await expectFills(market, 24, 2n * honestSum, 0)
  }, 60_000)
})
