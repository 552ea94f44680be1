import { quoteApr, type RfqId, toRfqId } from '@firmquote/core'
import { type Address, type Hex, maxUint256, numberToHex, zeroAddress } from 'viem'
import { publicRfqId } from '../src/domain/rfqIds.ts'
import type { ChainFact } from '../src/ports/chain.ts'
import type { NewQuote, Store } from '../src/ports/store.ts'
import { allPages } from './allPages.ts'
import { createRandomInteger } from './randomQuotes.ts'
import { applyBlock, seriesCreated, updateOf } from './storedBlocks.ts'
import {
  closesAt,
  hashOf,
  makerOf,
  newAuction,
  newAuctionQuote,
  newClose,
  newQuote,
  now,
  openedAt,
} from './storedQuotes.ts'

/** The data written to a store, used to read it back. */
export type Filled = {
  quotes: readonly NewQuote[]
  auctions: readonly RfqId[]
  /** Idempotency keys of the auctions that have one. */
  keys: readonly Hex[]
  makers: readonly Address[]
  pools: readonly Hex[]
  seriesKeys: readonly Hex[]
}

const [makerCount, poolCount, seriesCount] = [9, 3, 5]
const most = 2n ** 256n

/**
 * Fills a store with deterministic data of every kind: quotes with amounts of every length; open, closed and
 * interrupted auctions; blocks with every kind of event; and status updates.
 *
 * @param size number of quotes. With ten or more, every table has rows.
 */
export async function fillStore(store: Store, { size, seed }: { size: number; seed: number }): Promise<Filled> {
  const random = createRandomInteger(seed)
  const amount = () => {
    // A day's sum must fit into 256 bits.
    const bits = BigInt(1 + random(248))
    return (BigInt(1 + random(2 ** 30)) * most) / 2n ** (286n - bits) + 1n
  }
  const bytes = (length: number): Hex =>
    `0x${Array.from({ length }, () => numberToHex(random(256), { size: 1 }).slice(2)).join('')}`
  const makers = Array.from({ length: makerCount }, (_, index) => makerOf(index))
  const pools = Array.from({ length: poolCount }, (_, index) => hashOf(700 + index))
  const seriesKeys = Array.from({ length: seriesCount }, (_, index) => hashOf(800 + index))
  const pick = <T>(items: readonly T[]) => items[random(items.length)] as T
  const series = seriesKeys.map((seriesKey, index) => ({
    ...{ poolId: pools[index % poolCount] as Hex, seriesKey },
    ...{ expiry: Number(now) + 86_400 * (30 + index), cap: index === 0 ? maxUint256 : amount() },
  }))
  const terms = () => {
    const { poolId, seriesKey } = pick(series)
    return {
      ...{ maker: pick(makers), taker: random(4) === 0 ? makerOf(500) : zeroAddress, poolId, seriesKey },
      ...{ notional: amount(), vrtAmount: amount(), nonce: BigInt(random(3)) },
      ...{ deadline: now + BigInt(60 + random(9_999)), salt: bytes(32), signature: bytes(random(5) === 0 ? 300 : 65) },
    }
  }
  /** A small set of rates, so that lists contain ties, which are broken by age. */
  const rate = () => random(20) / 7 + (random(9) === 0 ? Number.EPSILON : 0)

  await store.claim({ chainId: 8453, genesisHash: hashOf(1), quoteMarket: makerOf(100) })
  const quotes = Array.from({ length: size }, () =>
    newQuote(0, terms(), { hash: bytes(32), apr: rate(), createdAt: openedAt + random(50) }),
  )
  // Quotes are written in groups that share a commit.
  for (let at = 0; at < size; at += 200) {
    await Promise.all(quotes.slice(at, at + 200).map((quote) => store.insertQuote(quote)))
  }

  const auctions = Array.from({ length: Math.ceil(size / 10) }, () => toRfqId(bytes(16).slice(2)))
  const keys: Hex[] = []
  /** A quote that the taker takes while its auction is open. */
  let early: { hash: Hex; quote: NewQuote['quote']; taker: Address } | undefined
  for (const [index, rfqId] of auctions.entries()) {
    const { poolId, seriesKey, notional } = terms()
    const key = index % 3 === 0 ? { key: bytes(32), request: bytes(32) } : null
    if (key) keys.push(key.key)
    const proven = { taker: pick(makers), takerVerified: true }
    const ends = { closesAt: closesAt + index, ...(index % 2 === 0 && proven) }
    await store.openAuction(newAuction(rfqId, { poolId, seriesKey, notional, ...ends }, key))
    const quoted = makers.slice(random(3)).map((maker) => {
      const own = { hash: bytes(32), apr: rate(), receivedAt: openedAt + random(15_000) }
      const unproven = random(6) === 0 && { unproven: true as const }
      return newAuctionQuote(0, rfqId, { ...terms(), maker, poolId, seriesKey }, { ...own, ...unproven })
    })
    await Promise.all(quoted.map((quote) => store.acceptQuote(quote, openedAt)))
    // The last auctions stay open.
    if (index >= auctions.length - 2) {
      if (index % 2 === 0 && quoted[0]) early = { ...quoted[0], taker: proven.taker }
      continue
    }
    const close = { at: closesAt + index, rejectedCount: random(9), interrupted: index % 4 === 0 }
    await store.closeAuction(newClose(rfqId, close))
  }

  const tokens = pools.map((poolId, index) => ({ poolId, loanToken: makerOf(600 + index), market: hashOf(index) }))
  await applyBlock(
    store,
    1,
    ...tokens.map((token) => ({ type: 'poolCreated', adapter: makerOf(700), ...token }) as const),
    ...series.map((item) => seriesCreated(item)),
  )
  const open = [...quotes]
  const takeOpen = () => open.splice(random(open.length), 1)[0] as NewQuote
  for (let block = 2; block < 4 + size / 10; block += 1) {
    const { hash, quote } = block === 2 && early ? early : takeOpen()
    const borrower = block === 2 && early ? early.taker : pick(makers)
    const { maker, poolId, seriesKey, notional, vrtAmount: cost } = quote
    const positionId = BigInt(block)
    const position = { positionId, maker, borrower, poolId, seriesKey, notional, cost, index: amount() }
    const facts: ChainFact[] = [
      { type: 'positionOpened', ...position },
      { type: 'quoteEnded', hash, status: 'filled' },
    ]
    if (block % 3 === 0) facts.push({ type: 'positionSettled', positionId, toBorrower: amount(), toMaker: 0n })
    if (block % 2 === 0) facts.push({ type: 'quoteEnded', hash: takeOpen().hash, status: 'cancelled' })
    if (block % 5 === 2) facts.push({ type: 'nonceRaised', maker: pick(makers), nonce: BigInt(block) })
    const update = updateOf(block, block - 1, facts)
    // A position and its fill belong to the same transaction.
    const events = update.events.map((event) => ({ ...event, transactionHash: hashOf(block * 1_000) }))
    await store.applyBlocks({ ...update, events })
  }
  const { cursor } = await store.findSyncPosition()
  if (cursor === null) throw new TypeError('No block has been synced.')
  const firstHour = Number(now) - (Number(now) % 3_600)
  const points = pools.flatMap((poolId) =>
    Array.from({ length: 40 }, (_, hour) => ({
      ...{ poolId, hour: firstHour + hour * 3_600, block: BigInt(1 + random(Number(cursor.number))) },
      ratePerSec: amount(),
    })),
  )
  const offers = series.map(({ seriesKey, expiry }, n) => {
    const notional = amount()
    const price = { notional, vrtAmount: notional / BigInt(n + 2), at: firstHour }
    const day = firstHour - (firstHour % 86_400) + n * 86_400
    return { seriesKey, day, apr: quoteApr(price, expiry, firstHour), notional, ...(n > 0 && { price }) }
  })
  await store.addRatePoints({ points, offers, asOf: cursor, keepFrom: 0 })
  // Some fills stay undated.
  for (const { number, hash } of await store.listUndatedFills({ above: 3n, limit: size })) {
    await store.dateFills([{ number, hash, timestamp: now + number * 3_600n }])
  }
  await store.finalize({ number: 3n, hash: updateOf(3, 2, []).cursor.hash }, openedAt)
  let version = 0
  for (const [n, subject] of ['b', 'a', 'B', 'ä'].entries()) {
    const entry = { at: openedAt + n, who: 'ops', command: 'makers ban', why: n > 1 ? 'test' : null, detail: '{"n":1}' }
    const put = [{ kind: 'ban', subject, body: '{"n":1}' }]
    const changed = { ...entry, request: `${n}`, subject: n > 0 ? subject : null }
    version = (await store.changeControls({ after: version, put, entry: changed })) ?? version
  }
  await store.probe()
  return { quotes, auctions, keys, makers, pools, seriesKeys }
}

/**
 * Returns a store's answers about the written data as text, keyed by query: every page of every list in every order.
 */
export async function readAll(store: Store, { quotes, auctions, keys, makers, pools, seriesKeys }: Filled) {
  const answers: Record<string, string> = {}
  const note = (name: string, answer: unknown) => {
    answers[name] = `${answers[name] ?? ''}${asText(answer)}\n`
  }
  /** Records every answer under the name of its method. */
  const ask = async <Name extends keyof Store>(
    name: Name,
    ...given: Parameters<Extract<Store[Name], (...given: never[]) => unknown>>
  ) => note(name, await (store[name] as (...given: unknown[]) => unknown)(...given))

  const range = { from: 0, to: Number(now) + 10 * 86_400 }
  for (const poolId of pools) {
    for (const step of [3_600, 86_400]) await ask('listRatePoints', { poolId, ...range, step })
    await ask('listFillDays', { poolId, ...range, limit: 100 })
    await ask('listOfferDays', { poolId, ...range, limit: 100 })
    await ask('listObservations', { poolId, limit: 20 })
  }
  await ask('listUndatedFills', { above: 0n, limit: 50 })
  const hours = await store.listRateHours(range)
  note('listRateHours', hours.map(({ poolId, hour, block }) => `${hour} ${poolId} ${block}`).sort())
  const [poolId, maker] = [pools[0] as Hex, makers[2] as Address]
  for (const sort of ['rate', 'created', 'deadline'] as const) {
    for (const filters of [{}, { poolId }, { seriesKey: seriesKeys[1] as Hex }, { maker }]) {
      const pages = await allPages((cursor) => store.listQuotes({ sort, limit: 7, ...filters, ...cursor }, now))
      for (const page of pages) note('listQuotes', { ...page, quotes: page.quotes.map(({ text }) => text) })
    }
  }
  for (const { hash } of quotes) await ask('findQuote', hash)
  for (const maker of makers) {
    const later = now + 600n
    for (const status of ['filled', 'cancelled', 'nonce_raised', 'expired', 'all'] as const) {
      const filters = { maker, status, limit: 3 }
      note(
        'listPublishedQuotes',
        await allPages((cursor) => store.listPublishedQuotes({ ...filters, ...cursor }, later)),
      )
    }
    await ask('countQuotes', maker, now)
    note('listMakerQuotes', await allPages((cursor) => store.listMakerQuotes(maker, { limit: 4, ...cursor }, now)))
    note('listMakerAuctions', await allPages((cursor) => store.listMakerAuctions(maker, { limit: 2, ...cursor })))
    await ask('listStatuses', maker, { after: 1, limit: 50 })
    await ask('listOpenPositions', maker)
    await ask('countTaker', { taker: maker, since: 0, from: 0n, most: 100 })
    note('listTaken', [...(await store.listTaken(maker))])
    note('listQuotedAuctions', (await store.listQuotedAuctions(maker)).sort())
    for (const status of ['open', 'settled', 'all'] as const) {
      const query = { account: maker, status, limit: 2 }
      note('listPositions', await allPages((cursor) => store.listPositions({ ...query, ...cursor })))
    }
  }
  for (const seriesKey of seriesKeys) {
    for (const most of [2n ** 64n, maxUint256]) {
      await ask('listOffers', { seriesKey, least: 1n, most, perMaker: 2, limit: 50 }, now)
    }
  }
  await ask('listCommitments', makers, now)
  await ask('listLargestFills', makers, 0n)
  for (const rfqId of auctions) {
    await ask('findAuction', { rfqId })
    await ask('findAuction', { publicRfqId: publicRfqId(rfqId) })
    for (const maker of makers) await ask('findAuctionEntry', publicRfqId(rfqId), maker)
  }
  for (const key of keys) await ask('findAuctionByKey', key, 0)
  await ask('findCheckpoint', 5n)
  await ask('listExpiredSeries', 2 ** 40)
  await ask('listPendingUpdates', 0)
  for (const known of [null, 4]) await ask('readControls', known)
  await ask('listAudit', { limit: 3, before: null })
  for (const name of [
    'listOpenAuctions',
    'findSyncPosition',
    'findUnfinalizedBlock',
    'listPools',
    'listSeries',
  ] as const) {
    await ask(name)
  }
  return answers
}

function asText(answer: unknown): string {
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}
