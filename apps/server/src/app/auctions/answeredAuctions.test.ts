import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type HubFixture, opened, send, settle, startHub } from '../../../test/startHub.ts'
import { newAuctionQuote } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { OutcomeUnknownError } from '../../ports/errors.ts'
import type { AuctionHub, FollowedAuction } from '../service.ts'

let it: HubFixture
let auction: FollowedAuction
beforeEach(async () => {
  it = await startHub()
  auction = await opened(it.hub)
})
afterEach(() => it.close())

/** Whether the hub considers the auction answered by the maker of this quote. */
async function isAnswered(number: number, hub: AuctionHub = it.hub) {
  const { quote } = newAuctionQuote(number)
  return (await hub.readAnswered(quote.maker))(publicRfqId(auction.rfq.rfqId))
}

async function refuse(times: number) {
  it.chain.verdict = 'refused'
  for (let attempt = 0; attempt < times; attempt += 1) await send(it.hub, auction, 1)
}

test('behavior: an auction with an accepted quote of the maker is answered, on every instance', async () => {
  const peer = it.startPeer('own')
  expect(await isAnswered(1)).toBe(false)
  await send(it.hub, auction, 1)
  expect([await isAnswered(1), await isAnswered(1, peer)]).toEqual([true, true])
})

test('behavior: an auction that refused three quotes of the maker is answered', async () => {
  await refuse(3)
  expect(await isAnswered(1)).toBe(true)
})

test('behavior: an auction that refused two quotes of the maker is not', async () => {
  await refuse(2)
  expect(await isAnswered(1)).toBe(false)
})

test('behavior: an auction that refused three quotes for a temporary reason is not', async () => {
  it.chain.verdict = 'fails'
  for (const _ of [1, 2, 3]) await send(it.hub, auction, 1)
  expect(await isAnswered(1)).toBe(false)
})

test('behavior: an auction whose answer is unknown is not', async () => {
  it.store.acceptQuote = () => Promise.reject(new OutcomeUnknownError('The writer has ended.'))
  void send(it.hub, auction, 1)
  await settle()
  it.clock.advance(5_000)
  expect(await isAnswered(1)).toBe(false)
})

test("behavior: other makers' answers do not matter", async () => {
  await send(it.hub, auction, 2)
  await refuse(3)
  expect(await isAnswered(3)).toBe(false)
})
