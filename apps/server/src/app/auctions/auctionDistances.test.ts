import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { auctionDurationMs, count, type HubFixture, opened, settle, startHub } from '../../../test/startHub.ts'
import { newAuctionQuote, now } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { AuctionHub } from '../service.ts'
import { distanceDelayMs } from './auctionDistances.ts'

let bench: HubFixture

beforeEach(async () => {
  bench = await startHub()
})
afterEach(() => bench.close())

/** The nth quote, valid long enough for use in a later auction. */
const quoteOf = (number: number) => newAuctionQuote(number, undefined, { deadline: now + 600n })

/** Connects a quote's backer and returns the distances it receives. */
function join(hub: AuctionHub, number: number) {
  const told: Record<string, unknown>[] = []
  const { maker: address } = quoteOf(number).quote
  hub.join({
    address,
    send(frame) {
      const message = JSON.parse(frame) as Record<string, unknown>
      if (message['type'] === 'auction_distance') told.push(message)
    },
  })
  return told
}

/** Runs an auction, with the quotes of these numbers, until it closes. */
async function runAuction(numbers: readonly number[]) {
  const auction = await opened(bench.hub)
  for (const number of numbers) {
    const { quote } = quoteOf(number)
    const verdict = bench.hub.submit({ backer: quote.maker, rfqId: publicRfqId(auction.rfq.rfqId), quote })
    await settle()
    expect((await verdict).ok).toBe(true)
  }
  bench.clock.advance(auctionDurationMs)
  await settle()
  expect((await auction.result()).status).toBe('closed')
  return publicRfqId(auction.rfq.rfqId)
}

describe('auction_distance', () => {
  test('default: sent once, a minute after the close, to all but the best', async () => {
    const [best, other, silent] = [1, 2, 3].map((number) => join(bench.hub, number)) as [
      unknown[],
      unknown[],
      unknown[],
    ]
    const rfqId = await runAuction([1, 2])
    bench.clock.advance(distanceDelayMs - 1)
    await settle()
    expect(other).toEqual([])
    bench.clock.advance(1)
    await settle()
    bench.clock.advance(distanceDelayMs)
    await settle()
    const { hash } = quoteOf(2)
    expect(other).toEqual([{ type: 'auction_distance', rfqId, hash, distance: expect.any(String) }])
    expect([best, silent]).toEqual([[], []])
  })

  test('behavior: a maker needs funds for the whole of its quote', async () => {
    const told = join(bench.hub, 2)
    const { notional } = quoteOf(2).quote
    bench.chain.funds = notional - 1n
    await runAuction([1, 2])
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(told).toEqual([])
    bench.chain.funds = notional
    await runAuction([1, 2])
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(told).toHaveLength(1)
  })

  test('behavior: unreadable funds count as none; the next auction is announced', async () => {
    const told = join(bench.hub, 2)
    await runAuction([1, 2])
    bench.chain.verdict = 'fails'
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(told).toEqual([])
    expect(bench.logs.map(({ message }) => message)).toContain('failed to send auction distances')
    bench.chain.verdict = 'good'
    await runAuction([1, 2])
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(told).toHaveLength(1)
  })

  test('behavior: the closing instance notifies makers of other instances', async () => {
    const peer = bench.startPeer('shared')
    const told = join(peer, 2)
    await runAuction([1, 2])
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(told).toHaveLength(1)
  })

  test('behavior: no message for a single quote, nor from a stopped service', async () => {
    const told = join(bench.hub, 2)
    await runAuction([2])
    const asked = count(bench.store, 'findAuction')
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(asked()).toBe(0)
    await runAuction([1, 2])
    bench.hub.stop()
    bench.clock.advance(distanceDelayMs)
    await settle()
    expect(told).toEqual([])
  })
})
