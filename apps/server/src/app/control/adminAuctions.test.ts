import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import {
  closesAt,
  hashOf,
  makerOf,
  newAuction,
  newAuctionQuote,
  newClose,
  openedAt,
  poolId,
  rfqId,
} from '../../../test/storedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { Store } from '../../ports/store.ts'
import { createAuctionMethods } from './adminAuctions.ts'

const id = publicRfqId(rfqId)
let store: Store
let call: (method: keyof ReturnType<typeof createAuctionMethods>, params: unknown) => Promise<unknown>

beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:' })
  const clock = { ...createFakeClock(), now: () => closesAt - 4_500 }
  const methods = createAuctionMethods({ store, clock })
  call = (method, params) => methods[method](params)
})
afterEach(() => store.close())

test('default: lists an open auction with its time left and its number of quotes, without its private id', async () => {
  expect(await call('auctions.list', {})).toEqual({ open: 0, auctions: [] })
  await store.openAuction(newAuction())
  for (const number of [1, 2]) await store.acceptQuote(newAuctionQuote(number), openedAt)
  const list = await call('auctions.list', { limit: 1 })
  expect(list).toMatchObject({
    open: 1,
    auctions: [{ id, status: 'open', poolId, notional: expect.any(String), secondsLeft: 5, quotes: 2 }],
  })
  expect(JSON.stringify(list)).not.toContain(rfqId)
})

test('default: shows a closed auction with its ranked quotes, without private id, taker or signatures', async () => {
  const auction = newAuction()
  await store.openAuction(auction)
  const offered = [1, 2].map((number) => newAuctionQuote(number))
  for (const quote of offered) await store.acceptQuote(quote, openedAt)
  const open = await call('auctions.show', { id })
  expect(open).toMatchObject({ status: 'open', closedAt: null, rejected: null })
  expect(open).toMatchObject({ quotes: [{ maker: makerOf(1), hash: hashOf(1), outcome: null }, { outcome: null }] })
  await store.closeAuction(newClose())
  const closed = await call('auctions.show', { id })
  expect(closed).toMatchObject({ status: 'closed', secondsLeft: 0, closedAt: expect.any(Number) })
  expect(closed).toMatchObject({ rejected: expect.any(Number), quotes: [{ outcome: 'best' }, { outcome: 'close' }] })
  const text = JSON.stringify([open, closed])
  const secrets = [rfqId, auction.rfq.taker ?? 'no taker', ...offered.map(({ quote }) => quote.signature)]
  for (const secret of secrets) expect(text).not.toContain(secret)
})

test("error: an unknown auction, and the borrower's private id", async () => {
  await store.openAuction(newAuction())
  const unknown = publicRfqId(id as never)
  for (const given of [unknown, rfqId]) {
    await expect(call('auctions.show', { id: given })).rejects.toMatchObject({
      code: 'REFUSED',
      shortMessage: `There is no auction with the public id ${given}.`,
    })
  }
})

test.each([
  ['auctions.list', { limit: 0 }],
  ['auctions.list', { limit: 201 }],
  ['auctions.list', { most: 1 }],
  ['auctions.show', {}],
  ['auctions.show', { id: 'x' }],
] as const)('error: %s with %j', async (method, params) => {
  await expect(call(method, params)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
