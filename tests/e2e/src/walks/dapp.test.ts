import {
  interestRatePoolAbi,
  type QuoteOutcome,
  quoteMarketAbi,
  type RFQStarted,
  type RFQStreamEvent,
  type RFQSummary,
} from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { checkExecutability, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { seesAllBackers } from '@firmquote/test-support/trial'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, parseEventLogs } from 'viem'
import { type BackerPlan, startPlannedBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'

const plans: BackerPlan[] = [
  { aprBps: 540n, delayMs: 600 },
  { aprBps: 510n, delayMs: 300 },
  { aprBps: 575n, delayMs: 900 },
]
const notional = 250_000_000_000n

let stack: Stack
const started = stopAfter(afterAll)
/** Each backer's result when the auction closes. */
let results: Promise<QuoteOutcome | undefined>[]

beforeAll(async () => {
  // The server uses its default settings, so the auction takes a real 15 seconds.
  stack = started(await startStack())
  const connect = (plan: BackerPlan, index: number) =>
    startPlannedBacker(stack.url, account(stack.devnet.backers, index), plan)
  const backers = await Promise.all(plans.map(connect))
  results = backers.map((backer) => started(backer).outcome)
}, 60_000)

function account(accounts: readonly DevnetAccount[], index: number): DevnetAccount {
  const found = accounts[index]
  if (!found) throw new TypeError(`no account ${index}`)
  return found
}

describe('a borrower, three backers, a server and a chain', () => {
  test('default: from the RFQ to the position', async () => {
    const { devnet, url } = stack
    const borrower = account(devnet.borrowers, 0)
    const series = devnet.pools[0].series[2]
    if (!series) throw new TypeError('the devnet has too few series')
    const client = new ServiceClient({ orderbookUrl: url })
    const request = { poolId: devnet.pools[0].poolId, expiry: series.expiry, notional }

    // Events streamed during the auction.
    const events: RFQStreamEvent[] = []
    for await (const event of client.streamQuotes(request)) if (event.type !== 'progress') events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['started', 'quote', 'quote', 'quote', 'done'])
    // Measured by the server's clock. `auction.trial.ts` measures a borrower's view by the wall clock.
    const started = events[0]?.data as RFQStarted
    const done = events.at(-1)?.data as RFQSummary
    expect(started.closesAt - started.openedAt).toBe(15_000)
    expect(done.closedAt).toBeGreaterThanOrEqual(started.closesAt)

    // Quotes are streamed in order of arrival, but the summary ranks them best first.
    const arrived = events.flatMap((event) => (event.type === 'quote' ? [event.data] : []))
    const makers = arrived.map(({ quote }) => quote.maker)
    expect(makers).toEqual([1, 0, 2].map((index) => account(devnet.backers, index).address))
    expect(arrived.map(({ apr }) => Math.round(apr * 100))).toEqual([510, 540, 575])
    expect(done).toMatchObject({ quoteCount: 3, rejectedCount: 0, ranking: arrived.map(({ hash }) => hash) })
    expect(await Promise.all(results)).toEqual(['close', 'best', 'close'])

    // Reading the auction's result by id returns the same result.
    const result = await client.getRfq(done.rfqId)
    expect(result).toMatchObject({
      status: 'closed',
      ...(seesAllBackers && { backers: 3 }),
      seriesKey: series.seriesKey,
    })
    expect(result.quotes.map(({ hash }) => hash)).toEqual(done.ranking)

    // Taking a quote performs six checks at a single block, then sends the transaction.
    const best = result.quotes[0]?.quote
    if (!best) throw new TypeError('there is no best quote')
    const check = () =>
      checkExecutability(best, {
        request: { poolId: request.poolId, seriesKey: series.seriesKey, notional },
        borrower: borrower.address,
        publicClient: devnet.publicClient,
      })
    const before = await check()
    expect(before.checks.filter(({ ok }) => !ok)).toEqual([])
    expect(before.executable).toBe(true)

    const take = () =>
      devnet.walletClient(borrower).writeContract(takeQuoteParameters(best, { maxCost: best.vrtAmount }))
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash: await take() })
    expect(receipt.status).toBe('success')
    const [filled] = parseEventLogs({ abi: quoteMarketAbi, eventName: 'QuoteFilled', logs: receipt.logs })
    expect(filled?.args).toMatchObject({ hash: done.ranking[0], taker: borrower.address, cost: best.vrtAmount })
    const [opened] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs: receipt.logs })
    expect(opened?.args).toMatchObject({ maker: best.maker, borrower: borrower.address, notional })

    // A quote can be taken only once, and the error says so.
    await expect(take()).rejects.toThrow(/QUOTE_FILLED|QuoteNotExecutable/)
    const after = await check()
    expect(after.executable).toBe(false)
    expect(after.checks.find(({ name }) => name === 'nonceAndStatus')).toMatchObject({
      ok: false,
      rejection: { code: 'QUOTE_FILLED' },
    })
    expect(await observed(done.ranking[0] as Hex)).toMatchObject({ executable: false, reason: 'QUOTE_FILLED' })
    expect(await observed(done.ranking[1] as Hex)).toMatchObject({ executable: true })

    // Recent quotes contain no signatures, and the logs contain no secrets.
    const recent = await (await fetch(`${stack.url}/api/v1/rfq/quotes/recent`)).text()
    expect(JSON.parse(recent).quotes).toHaveLength(3)
    expect(recent).not.toContain('signature')
    for (const { privateKey } of stack.devnet.backers) expect(stack.logs()).not.toContain(privateKey.slice(2))
    expect(stack.logs()).not.toMatch(/0x[0-9a-f]{130}/i)
  }, 60_000)
})

async function observed(hash: Hex): Promise<unknown> {
  const observations = await new ServiceClient({ orderbookUrl: stack.url }).getRecentQuotes()
  return observations.find((observation) => observation.hash === hash)
}
