import { type SignedQuote, toPublicRfqId } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type RealService, recordingSession, signedQuote, startRealService } from '../../test/realService.ts'

let devnet: Devnet
let service: RealService

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(() => service.close())

const publish = async (quote: SignedQuote) => (await service.book.submit(quote)).ok

const quotesOf = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      signedQuote(devnet, devnet.backers[index % 3] ?? devnet.backers[0], {
        seriesKey: devnet.pools[0].series[index % 5]?.seriesKey ?? devnet.pools[0].poolId,
      }),
    ),
  )

const requests = () => service.node.calls.map(({ method }) => method)

describe('requests to the node', () => {
  test.each([1, 10, 100])('default: %i quotes published at the same time need at most 3', async (count) => {
    const quotes = await quotesOf(count)
    service.node.calls.length = 0
    const outcomes = await Promise.all(quotes.map(publish))
    expect(outcomes).toEqual(quotes.map(() => true))
    // The newest block, the pool's loan token (once per process), and all other state.
    expect(requests().length).toBeLessThanOrEqual(3)
    expect(requests().filter((method) => method !== 'eth_call')).toEqual(['eth_getBlockByNumber'])
  })

  test('behavior: 2 once the loan token is known', async () => {
    await publish(await signedQuote(devnet, devnet.backers[0]))
    const quotes = await quotesOf(100)
    service.node.calls.length = 0
    await Promise.all(quotes.map(publish))
    expect(requests()).toEqual(['eth_getBlockByNumber', 'eth_call'])
  })

  test('behavior: simultaneous quotes for 30 auctions share them too', async () => {
    const [pool] = devnet.pools
    const seriesKey = pool.series[1]?.seriesKey ?? pool.poolId
    const sessions = devnet.backers.map((backer) => ({ backer, ...recordingSession(backer.address) }))
    for (const { session } of sessions) service.hub.join(session)
    const openings = await Promise.all(
      Array.from({ length: 30 }, () =>
        service.hub.open({ poolId: pool.poolId, seriesKey, notional: 1_000_000_000n }, { address: '127.0.0.1' }),
      ),
    )
    expect(openings.every(({ ok }) => ok)).toBe(true)
    const answers = await Promise.all(
      sessions.flatMap(({ backer, frames }) =>
        frames
          .filter(({ type }) => type === 'rfq')
          .map(async ({ rfqId }) => ({
            backer: backer.address,
            rfqId: toPublicRfqId(String(rfqId)),
            quote: await signedQuote(devnet, backer),
          })),
      ),
    )
    expect(answers).toHaveLength(90)
    service.node.calls.length = 0
    const verdicts = await Promise.all(answers.map((answer) => service.hub.submit(answer)))
    expect(verdicts.every(({ ok }) => ok)).toBe(true)
    expect(requests().length).toBeLessThanOrEqual(3)
  })
})
