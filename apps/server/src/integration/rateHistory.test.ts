import { quoteApr, quoteEffectiveApy, serializeSignedQuote } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { decodeOrThrow } from '@firmquote/core/wire'
import { expect, test } from '@jest/globals'
import { zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../test/chainDriver.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { signedQuote } from '../../test/realService.ts'
import { nowSeconds } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { hourOf } from '../domain/rateHours.ts'

let server: RealServer

useDevnet(async () => {
  for (let hour = 0; hour < 3; hour += 1) {
    await devnet.testClient.increaseTime({ seconds: 3_600 })
    await devnet.testClient.mine({ blocks: 1 })
  }
  server = await startRealServer(devnet, { rateHistoryDays: 2 })
  return () => server.close()
})

test('default: GET /rates/history, with an ETag', async () => {
  // These tests open no auctions in this pool.
  const { poolId } = devnet.pools[1]
  const to = Number((await devnet.publicClient.getBlock()).timestamp)
  const filters = { poolId, from: to - 9 * 3_600, to }
  await waitUntil(async () => ((await server.service.markets.history(filters))?.floating.length ?? 0) >= 3)
  const path = `${server.api}/rates/history?poolId=${poolId}&from=${filters.from}&to=${to}`
  const answer = await fetch(path)
  expect(answer.status).toBe(200)
  const history = decodeOrThrow(endpoints.getRateHistory.answers[200].shape, await answer.json(), 'history')
  expect(history).toMatchObject({ poolId, from: hourOf(filters.from), to: hourOf(to), step: 3_600, fixed: [] })
  const [last] = history.floating.slice(-1)
  expect(last).toMatchObject({ at: hourOf(to) })
  // Initially 5.2 %. Interest changes it slightly.
  expect(last?.apr).toBeGreaterThan(5)
  expect(last?.apr).toBeCloseTo((Number(last?.ratePerSec) * 31_536_000) / 1e16, 9)
  const tag = answer.headers.get('etag') ?? ''
  expect((await fetch(path, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  const days = await fetch(`${server.api}/rates/history?poolId=${poolId}`)
  expect(await days.json()).toMatchObject({ step: 86_400 })
})

test("default: the median of a day's fills, whatever auctions accepted", async () => {
  const [{ poolId, series }] = devnet.pools
  const [backer, borrower] = [devnet.backers[0], devnet.borrowers[0]]
  const { seriesKey, expiry } = series[1] ?? { seriesKey: zeroHash, expiry: 0 }
  const chain = createChainDriver(devnet)
  // Makes each request unique, because responses are cached.
  let from = hourOf(nowSeconds()) - 86_400
  const fixed = async () => {
    from -= 3_600
    // The chain is ahead of the server's clock, by which the range would end.
    const to = await chain.timestamp()
    const answer = await fetch(`${server.api}/rates/history?poolId=${poolId}&from=${from}&to=${to}`)
    return decodeOrThrow(endpoints.getRateHistory.answers[200].shape, await answer.json(), 'history').fixed
  }
  const signed = (notional: bigint, vrtAmount: bigint) =>
    signedQuote(devnet, backer, { seriesKey, notional, vrtAmount, deadline: nowSeconds() + 86_400n })

  const { next, send, end } = await connectBacker(server.wsUrl, privateKeyToAccount(backer.privateKey))
  const notional = 1_000_000_000n
  const asked = fetch(`${server.api}/rfq/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ poolId, seriesKey, notional: String(notional) }),
  })
  const { rfqId } = await next('rfq')
  send({ type: 'quote', id: 'one', rfqId, quote: serializeSignedQuote(await signed(notional, 0n)) })
  expect(await next('quote_ack')).toMatchObject({ status: 'accepted' })
  const { quotes } = decodeOrThrow(endpoints.requestQuotes.answers[200].shape, await (await asked).json(), 'result')
  expect(quotes).toMatchObject([{ apr: 0 }])
  await end()

  // All fills must be made on the same day.
  if ((await chain.timestamp()) % 86_400 > 86_400 - 600) await devnet.testClient.increaseTime({ seconds: 600 })
  const costs = [0n, 5_000_000n, 9_000_000n]
  for (const cost of costs) expect((await chain.take(borrower, await signed(notional, cost))).status).toBe('0x1')
  const filledAt = await chain.timestamp()
  await waitUntil(async () => (await fixed())[0]?.points[0]?.fills?.count === costs.length)
  const day = filledAt - (filledAt % 86_400)
  const [point, ...others] = await fixed()
  expect(others).toEqual([])
  expect(point).toMatchObject({
    seriesKey,
    expiry,
    points: [{ at: day, fills: { notional: 3n * notional, count: 3 } }],
  })
  // The three fills are seconds apart, which changes the APR only slightly.
  const apr = quoteApr({ notional, vrtAmount: 5_000_000n }, expiry, filledAt)
  const fills = point?.points[0]?.fills
  expect(fills?.apr).toBeCloseTo(apr, 3)
  const times = [-1, 0, 1, 2, 3, 4, 5].map((before) => filledAt - before)
  const median = { notional, vrtAmount: 5_000_000n }
  const at = times.find((time) => quoteApr(median, expiry, time) === fills?.apr) ?? Number.NaN
  expect(fills?.effectiveApy).toBe(quoteEffectiveApy(median, expiry, at))
})

test.each([
  ['', 400],
  ['?poolId=0x12', 400],
  [`?poolId=${zeroHash}`, 422],
  [`?poolId=${zeroHash}&from=7200&to=3600`, 400],
  [`?poolId=${zeroHash}&from=0&to=172800000`, 422],
  [`?poolId=${zeroHash}&from=0&to=172803600`, 400],
  [`?poolId=${zeroHash}&from=-1`, 400],
] as const)('error: GET /rates/history%s', async (query, status) => {
  expect((await fetch(`${server.api}/rates/history${query}`)).status).toBe(status)
})
