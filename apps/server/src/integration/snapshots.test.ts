import type { SignedQuote } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type RealService, signedQuote, startRealService } from '../../test/realService.ts'
import { publicRfqId } from '../domain/rfqIds.ts'

let service: RealService

useDevnet()
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
  test('default: 100 quotes published at the same time need 3, and 2 once the loan token is known', async () => {
    for (const most of [3, 2]) {
      const quotes = await quotesOf(100)
      service.node.calls.length = 0
      const outcomes = await Promise.all(quotes.map(publish))
      expect(outcomes).toEqual(quotes.map(() => true))
      expect(requests().length).toBeLessThanOrEqual(most)
      expect(requests().filter((method) => method !== 'eth_call')).toEqual(['eth_getBlockByNumber'])
    }
  })

  test('behavior: simultaneous quotes for 30 auctions share them too', async () => {
    const [pool] = devnet.pools
    const seriesKey = pool.series[1]?.seriesKey ?? pool.poolId
    const openings = await Promise.all(
      Array.from({ length: 30 }, () =>
        service.hub.open({ poolId: pool.poolId, seriesKey, notional: 1_000_000_000n }, { address: '127.0.0.1' }),
      ),
    )
    const answers = await Promise.all(
      openings.flatMap((opening) =>
        devnet.backers.map(async (backer) => {
          if (!opening.ok) throw new TypeError(opening.rejection.code)
          const quote = await signedQuote(devnet, backer)
          return { backer: backer.address, rfqId: publicRfqId(opening.value.rfq.rfqId), quote }
        }),
      ),
    )
    expect(answers).toHaveLength(90)
    service.node.calls.length = 0
    const verdicts = await Promise.all(answers.map((answer) => service.hub.submit(answer)))
    expect(verdicts.every(({ ok }) => ok)).toBe(true)
    expect(requests().length).toBeLessThanOrEqual(3)
  })
})
