// Published quotes from submission to their end, on one chain. Long because all tests share one setup.

import { hashQuote, type QuoteMarketQuote, quoteEffectiveApy, type SignedQuote } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { maxUint256, zeroHash } from 'viem'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { type RealService, signedQuote, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { encodeControl } from '../../domain/controls/controls.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { ServiceLimits } from '../serviceDeps.ts'

let service: RealService

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(() => service.close())

async function restart(limits: Partial<ServiceLimits>) {
  await service.close()
  service = await startRealService(devnet, { limits })
}

const quoteOf = (changes: Partial<QuoteMarketQuote> = {}, index: 0 | 1 | 2 = 0) =>
  signedQuote(devnet, devnet.backers[index], changes)
const hashOf = (quote: SignedQuote) => hashQuote(quote, domainOf(devnet))
const now = () => BigInt(Math.floor(service.clock.now() / 1000))

async function published(changes: Partial<QuoteMarketQuote> = {}, index: 0 | 1 | 2 = 0): Promise<SignedQuote> {
  const quote = await quoteOf(changes, index)
  expect(await service.book.submit(quote)).toMatchObject({ ok: true, value: { created: true } })
  return quote
}

async function rejectionOf(quote: SignedQuote): Promise<unknown> {
  const outcome = await service.book.submit(quote)
  return outcome.ok ? 'accepted' : outcome.rejection
}

const listed = async () => (await service.book.list({})).quotes.map(({ hash }) => hash)

/** Sets the first backer's allowance for the market. */
const approve = (amount: bigint) => createChainDriver(devnet).approve(devnet.backers[0], amount)

describe('submit', () => {
  test('default', async () => {
    const quote = await quoteOf()
    const outcome = await service.book.submit(quote)
    const record = {
      hash: hashOf(quote),
      quote,
      ...{ apr: expect.any(Number), effectiveApy: expect.any(Number) },
      status: 'active',
      createdAt: service.clock.now(),
    }
    expect(outcome).toEqual({ ok: true, value: { created: true, record } })
    expect(await service.book.find(hashOf(quote))).toEqual(record)
    const { number, hash } = await devnet.publicClient.getBlock()
    expect((await service.book.list({})).quotes).toEqual([
      { ...record, executable: true, overcommitted: false, judgedAt: { number, hash } },
    ])
  })

  test('behavior: the same quote again is not judged again', async () => {
    const quote = await published()
    service.node.calls.length = 0
    service.clock.advance(5_000)
    expect(await service.book.submit(quote)).toMatchObject({
      ok: true,
      value: { created: false, record: { createdAt: service.clock.now() - 5_000 } },
    })
    expect(service.node.calls).toEqual([])
  })

  test('behavior: the same quote twice at once is stored once', async () => {
    const quote = await quoteOf()
    const outcomes = await Promise.all([service.book.submit(quote), service.book.submit(quote)])
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.created).sort()).toEqual([false, true])
  })

  test('behavior: a quote whose terms do not fit is rejected without a request to the node', async () => {
    const late = await quoteOf({ deadline: now() - 1n })
    service.node.calls.length = 0
    expect(await rejectionOf(late)).toMatchObject({ code: 'DEADLINE_PASSED' })
    expect(service.node.calls).toEqual([])
  })

  test('error: too many of one maker, also simultaneous ones; expired ones do not count', async () => {
    await restart({ storedQuotesPerMaker: 2 })
    await published({ deadline: now() + 60n })
    const outcomes = await Promise.all([
      rejectionOf(await quoteOf()),
      rejectionOf(await quoteOf()),
      rejectionOf(await quoteOf()),
    ])
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1)
    expect(outcomes).toContainEqual({ code: 'TOO_MANY_OPEN', open: expect.any(Number), limit: 2 })
    expect(await rejectionOf(await quoteOf({}, 1))).toBe('accepted')
    service.clock.advance(61_000)
    expect(await rejectionOf(await quoteOf())).toBe('accepted')
  })

  test('error: too many are being judged; a published one is not judged again', async () => {
    await restart({ runningJudgements: 1 })
    const [known, first, second] = [await published(), await quoteOf(), await quoteOf({}, 1)]
    const outcomes = await Promise.all([first, second, known].map(rejectionOf))
    expect(outcomes).toEqual(['accepted', { code: 'OVERLOADED' }, 'accepted'])
    expect(await rejectionOf(second)).toBe('accepted')
  })
})

describe('a banned maker', () => {
  const ban = async (index: 0 | 1, time: string | null = '1h') =>
    service.admin['makers.ban']?.({
      ...{ maker: devnet.backers[index].address, why: 'test', who: 'ops' },
      ...(time !== null && { for: time }),
    })

  test('error: its quotes are refused without a request to the node, also one that is already published', async () => {
    const quote = await published()
    await ban(0)
    service.node.calls.length = 0
    const until = Math.ceil((service.clock.now() + 3_600_000) / 1_000)
    const rejection = { code: 'MAKER_BANNED', maker: quote.maker, until }
    expect([await rejectionOf(quote), await rejectionOf(await quoteOf({ notional: 5n }))]).toEqual([
      rejection,
      rejection,
    ])
    expect(service.node.calls).toEqual([])
  })

  test('error: a ban during the judgement refuses the quote', async () => {
    const quote = await quoteOf()
    service.node.interfere = async () => {
      service.node.interfere = () => undefined
      await ban(0, null)
      return undefined
    }
    expect(await rejectionOf(quote)).toMatchObject({ code: 'MAKER_BANNED', until: null })
    expect(await service.store.findQuote(hashOf(quote))).toBeNull()
  })

  test('behavior: its quotes are in no list and not executable until the ban ends; others are listed', async () => {
    const [own, other] = [await published(), await published({}, 1)]
    const { maker } = own
    await ban(0)
    const lists = async () => {
      const seen: string[][] = []
      for (const filters of [
        {},
        { sort: 'rate' },
        { sort: 'deadline' },
        { maker },
        { status: 'all', maker },
      ] as const) {
        seen.push((await service.book.list(filters)).quotes.map(({ hash }) => hash))
        const { quotes } = await service.book.listTexts(filters)
        expect(quotes.map(({ text }) => (JSON.parse(text) as { hash: string }).hash)).toEqual(seen.at(-1))
      }
      return seen.map((hashes) => hashes.sort())
    }
    const both = [hashOf(own), hashOf(other)].sort()
    expect(await lists()).toEqual([[hashOf(other)], [hashOf(other)], [hashOf(other)], [], []])
    expect(await service.book.find(hashOf(own))).toMatchObject({
      ...{ status: 'active', executable: false, reason: 'MAKER_BANNED' },
    })
    expect(await service.book.find(hashOf(other))).not.toHaveProperty('reason')
    // The deadline of the quotes is an hour from now.
    await ban(0, '1m')
    service.clock.advance(60_000)
    expect(await lists()).toEqual([both, both, both, [hashOf(own)], [hashOf(own)]])
  })
})

describe('list and find', () => {
  test('behavior: a quote that was filled, cancelled or invalidated by its nonce is never shown as active', async () => {
    const [filled, cancelled, kept] = [await published(), await published(), await published()]
    const invalidated = await published({}, 1)
    expect(await listed()).toHaveLength(4)
    await createChainDriver(devnet).take(devnet.borrowers[0], filled)
    await createChainDriver(devnet).cancel(devnet.backers[0], cancelled)
    await createChainDriver(devnet).raiseNonce(devnet.backers[1])

    // An ended quote leaves the list before the sync has read the event.
    expect(await listed()).toEqual([hashOf(kept)])
    await service.sync.cycle()
    const head = await devnet.publicClient.getBlockNumber()
    for (const [quote, status, blockNumber] of [
      [filled, 'filled', head - 2n],
      [cancelled, 'cancelled', head - 1n],
      [invalidated, 'nonce_raised', head],
    ] as const) {
      const { hash: blockHash, transactions } = await devnet.publicClient.getBlock({ blockNumber })
      const seenAt = { blockNumber, blockHash, transactionHash: transactions[0] }
      expect(await service.book.find(hashOf(quote))).toMatchObject({ status, seenAt })
    }
    expect(await listed()).toEqual([hashOf(kept)])
  })

  test('behavior: a quote past its deadline has expired everywhere, even if the clock is behind the chain', async () => {
    const quote = await published()
    const statuses = async () => ({
      active: await listed(),
      expired: (await service.book.list({ maker: quote.maker, status: 'expired' })).quotes.map(({ hash }) => hash),
      found: (await service.book.find(hashOf(quote)))?.status,
      ofMaker: (await service.makers.quotes(quote.maker, {})).quotes.map(({ status }) => status),
    })
    const mineAt = async (timestamp: bigint) => {
      await devnet.testClient.setNextBlockTimestamp({ timestamp })
      await devnet.testClient.mine({ blocks: 1 })
      await service.sync.cycle()
    }
    await mineAt(quote.deadline)
    const hash = hashOf(quote)
    expect(await statuses()).toEqual({ active: [hash], expired: [], found: 'active', ofMaker: ['active'] })
    await mineAt(quote.deadline + 1n)
    expect(now()).toBeLessThan(quote.deadline)
    expect(await statuses()).toEqual({ active: [], expired: [hash], found: 'expired', ofMaker: ['expired'] })
  })

  test('behavior: a quote without funds is active and not executable', async () => {
    const quote = await published()
    const entry = async () => (await service.book.list({})).quotes[0]
    await approve(0n)
    const { number, hash } = await devnet.publicClient.getBlock()
    expect(await entry()).toMatchObject({
      hash: hashOf(quote),
      status: 'active',
      executable: false,
      reason: 'INSUFFICIENT_ALLOWANCE',
      judgedAt: { number, hash },
    })
    expect(await service.book.find(hashOf(quote))).toMatchObject({ status: 'active' })
    await approve(maxUint256)
    const entryAfter = await entry()
    expect(entryAfter).toMatchObject({ executable: true, judgedAt: { number: number + 1n } })
    expect(entryAfter).not.toHaveProperty('reason')
  })

  test('behavior: lists by rate omit quotes that the maker cannot fund, until a later block shows its funds', async () => {
    const other = await published({}, 1)
    const quote = await published({ vrtAmount: 1n })
    const byRate = async (filters = {}) =>
      (await service.book.list({ sort: 'rate', ...filters })).quotes.map(({ hash }) => hash)
    expect(await byRate()).toEqual([hashOf(quote), hashOf(other)])
    await approve(quote.notional - 1n)
    expect(await byRate()).toEqual([hashOf(other)])
    // It is still listed for the maker, and for everyone who does not ask for the best rates.
    expect(await byRate({ maker: quote.maker })).toEqual([hashOf(quote)])
    expect(await listed()).toHaveLength(2)
    await approve(quote.notional)
    // The first read in a block supplies the funds for the next list.
    await byRate()
    expect(await byRate()).toEqual([hashOf(quote), hashOf(other)])
  })

  test('behavior: quotes that together exceed the funds of their maker are overcommitted, although each alone is executable', async () => {
    const notional = 1_000_000_000n
    const [first, second, third] = [
      await published({ notional }),
      await published({ notional }),
      await published({
        notional,
        poolId: devnet.pools[1].poolId,
        seriesKey: devnet.pools[1].series[0]?.seriesKey ?? zeroHash,
      }),
    ]
    const foreign = await published({ notional }, 1)
    const verdicts = async () =>
      Object.fromEntries(
        (await service.book.list({})).quotes.map(({ hash, executable, overcommitted }) => [
          hash,
          { executable, overcommitted },
        ]),
      )
    const allOf = (overcommitted: boolean) => ({
      ...Object.fromEntries(
        [first, second, third].map((quote) => [hashOf(quote), { executable: true, overcommitted }]),
      ),
      [hashOf(foreign)]: { executable: true, overcommitted: false },
    })
    expect(await verdicts()).toEqual(allOf(false))
    // Funds are compared exactly, to the last raw unit. Both pools have the same loan token, so their quotes draw on
    // the same funds.
    await approve(notional * 3n)
    expect(await verdicts()).toEqual(allOf(false))
    await approve(notional * 3n - 1n)
    expect(await verdicts()).toEqual(allOf(true))
    // On a page with only one of these quotes, the others still count towards overcommitment.
    const page = await service.book.list({ maker: first.maker, limit: 1 })
    expect(page.quotes).toMatchObject([{ executable: true, overcommitted: true }])
    await createChainDriver(devnet).cancel(devnet.backers[0], second)
    await service.sync.cycle()
    const { [hashOf(second)]: _, ...left } = allOf(false)
    expect(await verdicts()).toEqual(left)
  })

  test('behavior: a quote whose state cannot be read is not executable, and does not affect others', async () => {
    const [good, bad] = [await published(), await published({}, 1)]
    const poison = hashQuote(bad, domainOf(devnet)).slice(2)
    service.node.interfere = ({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).includes(poison)
        ? { error: { code: -32000, message: 'out of gas' } }
        : undefined
    const { quotes } = await service.book.list({ sort: 'created' })
    expect(new Map(quotes.map(({ hash, executable, reason }) => [hash, [executable, reason]]))).toEqual(
      new Map([
        [hashOf(good), [true, undefined]],
        [hashOf(bad), [false, 'CHAIN_UNAVAILABLE']],
      ]),
    )
  })

  test('behavior: a page of ended quotes does not hide the active ones after it', async () => {
    const live = await published()
    for (const _ of [1, 2, 3]) {
      service.clock.advance(10)
      await published({}, 1)
    }
    await createChainDriver(devnet).raiseNonce(devnet.backers[1])
    const page = await service.book.list({ limit: 1 })
    expect(page.quotes.map(({ hash }) => hash)).toEqual([hashOf(live)])
    expect(page.nextCursor).toBeNull()
  })

  test('error: the chain cannot be read: nothing is listed, a single quote shows its last known status', async () => {
    const [active, cancelled] = [await published(), await published()]
    await createChainDriver(devnet).cancel(devnet.backers[0], cancelled)
    await service.sync.cycle()
    service.node.interfere = () => ({ status: 500 })
    const code = 'CHAIN_UNAVAILABLE'
    await expect(service.book.list({})).rejects.toMatchObject({ code })
    expect(await service.book.find(hashOf(active))).toMatchObject({ status: 'active' })
    expect(await service.book.find(hashOf(cancelled))).toMatchObject({ status: 'cancelled' })
    expect(await service.book.find(zeroHash)).toBeNull()
  })
})

describe('the quotes of an auction', () => {
  const requestOf = ({ poolId, seriesKey }: SignedQuote) => ({ poolId, seriesKey, notional: 1_000_000_000n })

  async function auctioned(quotes: readonly SignedQuote[]) {
    const [first = await quoteOf()] = quotes
    const outcome = await service.hub.open(requestOf(first), { address: 'one' })
    if (!outcome.ok) throw new TypeError(outcome.rejection.code)
    const rfqId = publicRfqId(outcome.value.rfq.rfqId)
    for (const quote of quotes) {
      expect(await service.hub.submit({ backer: quote.maker, rfqId, quote })).toMatchObject({ ok: true })
    }
    const end = () => {
      service.clock.advance(15_000)
      return outcome.value.result()
    }
    return { rfqId, end }
  }

  test('error: cannot be published, neither before the close nor after it', async () => {
    const quote = await quoteOf()
    const { end } = await auctioned([quote])
    const refused = { code: 'QUOTE_PRIVATE', hash: hashOf(quote) }
    service.node.calls.length = 0
    expect(await rejectionOf(quote)).toEqual(refused)
    expect(service.node.calls).toEqual([])
    await end()
    expect(await rejectionOf(quote)).toEqual(refused)
    expect(await listed()).toEqual([])
    expect(await rejectionOf(await quoteOf())).toBe('accepted')
  })

  test('behavior: quotes become observations after the close, each with whether it is executable', async () => {
    const [taken, live, short] = [await quoteOf(), await quoteOf({}, 1), await quoteOf({ deadline: now() + 76n }, 2)]
    const { rfqId, end } = await auctioned([taken, live, short])
    expect(await service.book.observations({})).toEqual([])
    await end()
    expect((await service.book.observations({})).map(({ executable }) => executable)).toEqual([true, true, true])
    await createChainDriver(devnet).take(devnet.borrowers[0], taken)
    service.clock.advance(62_000)
    const observations = await service.book.observations({})
    const { maker, poolId, seriesKey, notional, vrtAmount } = live
    const expiry = devnet.pools[0].series[1]?.expiry ?? 0
    expect(observations[1]).toEqual({
      rfqId,
      hash: hashOf(live),
      maker,
      poolId,
      seriesKey,
      expiry,
      notional,
      vrtAmount,
      apr: expect.any(Number),
      effectiveApy: quoteEffectiveApy(live, expiry, Math.floor((observations[1]?.observedAt ?? 0) / 1_000)),
      observedAt: expect.any(Number),
      executable: true,
    })
    expect(observations.map(({ hash, executable, reason }) => [hash, executable, reason])).toEqual([
      [hashOf(short), false, 'DEADLINE_PASSED'],
      [hashOf(live), true, undefined],
      [hashOf(taken), false, 'QUOTE_FILLED'],
    ])
    expect(await service.book.observations({ poolId: zeroHash })).toEqual([])
    expect(await service.book.observations({ limit: 1 })).toHaveLength(1)
  })

  test('behavior: an observation of a banned maker is not executable and counts in no rate', async () => {
    const quote = await quoteOf()
    const { end } = await auctioned([quote])
    await end()
    const best = async () => {
      const [pool] = await service.markets.pools({ poolId: quote.poolId, notional: quote.notional })
      return pool?.series.find(({ seriesKey }) => seriesKey === quote.seriesKey)?.bestApr
    }
    expect(await best()).toEqual(expect.any(Number))
    await service.admin['makers.ban']?.({ maker: quote.maker, why: 'test', who: 'ops' })
    expect(await best()).toBeUndefined()
    expect(await service.book.observations({})).toMatchObject([{ executable: false, reason: 'MAKER_BANNED' }])
  })

  test('behavior: observations of a halted market are not executable', async () => {
    const quote = await quoteOf()
    const { end } = await auctioned([quote])
    const halt = {
      kind: 'halt',
      scope: 'series',
      seriesKey: quote.seriesKey,
      since: 1,
      message: null,
      why: 'oracle',
    } as const
    const entry = { who: 'ops', command: 'series halt', subject: null, why: 'oracle', detail: '{}' }
    await service.controls.change(() => ({ put: [encodeControl(halt)], entry }))
    await end()
    expect(await service.book.observations({})).toMatchObject([{ executable: false, reason: 'MARKET_HALTED' }])
  })

  test('error: observations need the chain', async () => {
    const { end } = await auctioned([await quoteOf()])
    await end()
    service.node.interfere = () => ({ status: 500 })
    await expect(service.book.observations({})).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })
})

describe('health', () => {
  test('default', async () => {
    const { number } = await devnet.publicClient.getBlock()
    expect(await service.health()).toEqual({
      status: 'ok',
      database: 'ok',
      sync: { head: Number(number), synced: Number(number), lagSeconds: expect.any(Number) },
      backers: { connected: 0 },
      auctions: { open: 0 },
      version: '1.2.3',
      serverTime: service.clock.now(),
    })
  })

  test('behavior: follows from the age of the newest block, whether the node answers or not', async () => {
    await service.close()
    service = await startRealService(devnet, { sync: { headDegradedSeconds: 30, headStaleSeconds: 120 } })
    const { number, timestamp } = await devnet.publicClient.getBlock()
    const aged = async (seconds: number) => {
      service.clock.jump((Number(timestamp) + seconds) * 1_000 - service.clock.now())
      const { status, sync } = await service.health()
      expect(sync).toEqual({ head: Number(number), synced: Number(number), lagSeconds: seconds })
      return status
    }
    expect(await aged(-30)).toBe('ok')
    expect(await aged(-31)).toBe('degraded')
    expect(await aged(30)).toBe('ok')
    expect(await aged(31)).toBe('degraded')
    service.node.interfere = () => ({ status: 500 })
    await expect(service.sync.cycle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(await aged(120)).toBe('degraded')
    service.node.interfere = () => undefined
    expect(await rejectionOf(await quoteOf())).toBe('accepted')
    expect(await aged(121)).toBe('down')
    // The node responds, but its newest block is more than two minutes old.
    expect(await rejectionOf(await quoteOf())).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    const [{ poolId, series }] = devnet.pools
    const request = { poolId, seriesKey: series[0]?.seriesKey ?? zeroHash, notional: 10n ** 9n }
    expect(await service.hub.open(request, { address: 'one' })).toEqual({
      ok: false,
      rejection: { code: 'CHAIN_UNAVAILABLE' },
    })
    await devnet.testClient.setNextBlockTimestamp({ timestamp: timestamp + 121n })
    await devnet.testClient.mine({ blocks: 1 })
    await service.sync.cycle()
    expect(await service.hub.open(request, { address: 'one' })).toMatchObject({ ok: true })
    expect(await rejectionOf(await quoteOf())).toBe('accepted')
  })

  test('error: a database that does not answer', async () => {
    await service.store.close()
    expect(await service.health()).toMatchObject({ status: 'down', database: 'down' })
  })
})
