import { toRfqId } from '@firmquote/core'
import { type Hex, maxUint256, numberToHex, zeroAddress } from 'viem'
import { publicRfqId } from '../domain/rfqIds.ts'
import type { ChainFact } from '../ports/chain.ts'
import type { NewQuote, Store } from '../ports/store.ts'
import { createRandomInteger } from './randomQuotes.ts'
import { updateOf } from './storedBlocks.ts'
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

/** Which chain and market the data of a filled store belongs to. */
export const filledIdentity = { chainId: 8453, genesisHash: hashOf(1), quoteMarket: makerOf(100) } as const

/** What was written, to ask for it again. */
export type Filled = { quotes: readonly NewQuote[]; auctions: readonly string[]; makers: readonly `0x${string}`[] }

const [makerCount, poolCount, seriesCount] = [9, 3, 5]
const most = 2n ** 256n

/**
 * Writes some of everything that a store keeps, the same again with the same seed: quotes with amounts of every length, auctions
 * that are open, closed and interrupted, blocks with every kind of event, and what makers are told of it.
 *
 * @param size how many quotes; with ten or more every table has rows.
 */
export async function fillStore(store: Store, { size, seed }: { size: number; seed: number }): Promise<Filled> {
  const random = createRandomInteger(seed)
  const amount = () => {
    const bits = BigInt(1 + random(255))
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
      ...{
        notional: amount(),
        vrtAmount: amount(),
        nonce: BigInt(random(3)),
        deadline: now + BigInt(60 + random(9_999)),
      },
      ...{ salt: bytes(32), signature: bytes(random(5) === 0 ? 300 : 65) },
    }
  }
  /** Few, so that lists have ties, which go by age. */
  const rate = () => random(20) / 7 + (random(9) === 0 ? Number.EPSILON : 0)

  await store.claim(filledIdentity)
  const quotes = Array.from({ length: size }, () =>
    newQuote(0, terms(), { hash: bytes(32), apr: rate(), createdAt: openedAt + random(50) }),
  )
  // In groups that share a commit.
  for (let at = 0; at < size; at += 200) {
    await Promise.all(quotes.slice(at, at + 200).map((quote) => store.insertQuote(quote)))
  }

  const auctions = Array.from({ length: Math.ceil(size / 10) }, () => bytes(16).slice(2))
  for (const [index, id] of auctions.entries()) {
    const rfqId = toRfqId(id)
    const { poolId, seriesKey, notional } = terms()
    const key = index % 3 === 0 ? { key: bytes(32), request: bytes(32) } : null
    const proven = { taker: pick(makers), takerVerified: true }
    await store.openAuction(
      newAuction(
        rfqId,
        { poolId, seriesKey, notional, closesAt: closesAt + index, ...(index % 2 === 0 && proven) },
        key,
      ),
    )
    const quoted = makers.slice(random(3)).map((maker) =>
      newAuctionQuote(
        0,
        rfqId,
        { ...terms(), maker, poolId, seriesKey },
        {
          ...{ hash: bytes(32), apr: rate(), receivedAt: openedAt + random(15_000), publicRfqId: publicRfqId(rfqId) },
          ...(random(6) === 0 && { unproven: true }),
        },
      ),
    )
    await Promise.all(quoted.map((quote) => store.acceptQuote(quote, openedAt)))
    // The last ones stay open.
    if (index < auctions.length - 2) {
      await store.closeAuction(
        newClose(rfqId, { at: closesAt + index, rejectedCount: random(9), interrupted: index % 4 === 0 }),
      )
    }
  }

  const opening: ChainFact[] = [
    ...pools.map((poolId, index): ChainFact => {
      return {
        type: 'poolCreated',
        poolId,
        loanToken: makerOf(600 + index),
        adapter: makerOf(700),
        market: hashOf(index),
      }
    }),
    ...series.map((item): ChainFact => ({ type: 'seriesCreated', ...item })),
  ]
  await store.applyBlocks(updateOf(1, null, opening))
  const open = [...quotes]
  const takeOpen = () => open.splice(random(open.length), 1)[0] as NewQuote
  for (let block = 2; block < 4 + size / 10; block += 1) {
    const { hash, quote } = takeOpen()
    const { maker, poolId, seriesKey, notional, vrtAmount: cost } = quote
    const positionId = BigInt(block)
    const position = { positionId, maker, borrower: pick(makers), poolId, seriesKey, notional, cost, index: amount() }
    const facts: ChainFact[] = [
      { type: 'positionOpened', ...position },
      { type: 'quoteEnded', hash, status: 'filled' },
    ]
    if (block % 3 === 0) facts.push({ type: 'positionSettled', positionId, toBorrower: amount(), toMaker: 0n })
    if (block % 2 === 0) facts.push({ type: 'quoteEnded', hash: takeOpen().hash, status: 'cancelled' })
    if (block % 5 === 2) facts.push({ type: 'nonceRaised', maker: pick(makers), nonce: BigInt(block) })
    const update = updateOf(block, block - 1, facts)
    // A position and the fill that has opened it are of one transaction.
    const events = update.events.map((event) => ({ ...event, transactionHash: hashOf(block * 1_000) }))
    await store.applyBlocks({ ...update, events })
  }
  await store.finalize({ number: 3n, hash: updateOf(3, 2, []).cursor.hash }, openedAt)
  await store.probe()
  return { quotes, auctions, makers }
}
