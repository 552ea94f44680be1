// Each of a hundred makers publishes the maximum number of quotes at 0 % in every series, first for one raw unit, then
// for the minimum notional. The attack requires 100 keys that hold more tokens than they offer, and sends 20,000
// requests over 32 connections.

import { type QuoteDomain, serializeQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import type { DevnetAccount } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { serverCount } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createMakers, fundMakers } from '../../../../packages/devnet/test/fundMakers.ts'
import { quoteOf } from '../quoteOf.ts'
import { refusalOf, sendRaw } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { printHonest, startAdversarialFixture } from './adversarialFixture.ts'

const makerCount = 100
const quotesOfMaker = 100
const connections = 32
const minNotionalOf = 100_000_000n

const started = stopAfter(afterEach)

test(
  'behavior: dust at 0 % changes no best rate and no depth',
  async () => {
    const fixture = started(await startAdversarialFixture())
    const { devnet, servers, urlOf } = fixture
    const domain = { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket }
    const makers = createMakers(makerCount)
    await fundMakers(devnet, makers)
    const series = devnet.pools.flatMap(({ poolId, series: all }) =>
      all.map(({ seriesKey }) => ({ poolId, seriesKey })),
    )

    const post = await createPosts(urlOf, domain)
    const [honest] = devnet.backers
    for (const one of series) {
      expect(await post(honest, { ...one, notional: 100_000_000_000n, vrtAmount: 1_000_000_000n })).toBe('stored')
    }
    const ratesOf = async (orderbookUrl: string) => {
      const pools = await new ServiceClient({ orderbookUrl }).getPoolRates()
      return pools.flatMap(({ series: all }) =>
        all.map(({ seriesKey, bestApr, depth }) => ({ seriesKey, bestApr, depth })),
      )
    }
    const rates = () => Promise.all(servers.urls.map(ratesOf))
    const before = await ratesOf(urlOf(0))
    expect(before.map(({ depth }) => depth.quotes)).toEqual(series.map(() => 1))
    const users = await fixture.startHonest()
    await users.quoted(1)

    const attack = async (notional: bigint) => {
      const statuses = new Map<string, number>()
      const queue = makers.flatMap((maker) => Array.from({ length: quotesOfMaker }, (_, n) => ({ maker, n })))
      const send = async () => {
        for (let next = queue.pop(); next; next = queue.pop()) {
          const one = series[next.n % series.length]
          if (!one) throw new RangeError('There is no series.')
          const status = await post(next.maker, { ...one, notional, vrtAmount: 0n })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: connections }, send))
      return Object.fromEntries(statuses)
    }
    expect(await attack(1n)).toEqual({ NOTIONAL_TOO_SMALL: makerCount * quotesOfMaker })
    expect(await attack(minNotionalOf)).toEqual({ stored: makerCount * quotesOfMaker })

    // Cached responses may be up to a second old.
    const isFresh = performance.now() + 1_000
    while (performance.now() < isFresh) await rates()
    // The remaining term shrinks every second, so the annual rate rises slightly.
    const expected = before.map((one) => ({ ...one, bestApr: expect.closeTo(one.bestApr ?? 0, 1) }))
    expect(await rates()).toEqual(servers.urls.map(() => expected))
    const figures = await users.finish()
    expect(figures.auctions.every(({ quotes }) => quotes > 0)).toBe(true)
    printHonest('dust', figures)
  },
  serverCount === 1 ? 180_000 : 300_000,
)

type Terms = { poolId: Hex; seriesKey: Hex; notional: bigint; vrtAmount: bigint }

/** Creates a function that publishes quotes and returns each refusal's code, or `stored`. */
async function createPosts(urlOf: (turn: number) => string, domain: QuoteDomain) {
  const signers = new Map<Hex, Awaited<ReturnType<typeof createQuoteSigner>>>()
  let turn = 0
  return async ({ address, privateKey }: DevnetAccount, terms: Terms): Promise<string> => {
    const signer = signers.get(address) ?? (await createQuoteSigner(privateKey, domain))
    signers.set(address, signer)
    const quote = quoteOf(address, terms)
    const body = { ...serializeQuote(quote), signature: signer.signQuote(quote) }
    const answer = await sendRaw(`${urlOf(turn++)}/api/v1/quotes`, { body })
    return refusalOf(answer) ?? 'stored'
  }
}
