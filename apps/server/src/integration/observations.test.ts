import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignedQuote } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { listenForTest } from '../../test/listenForTest.ts'
import { type RealService, signedQuote, startRealService } from '../../test/realService.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { publicRfqId } from '../domain/rfqIds.ts'

let devnet: Devnet
let directory: string
let service: RealService | undefined

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'firmquote-observations-'))
})
afterEach(async () => {
  await service?.close()
  service = undefined
  rmSync(directory, { recursive: true, force: true })
})

async function start(options: Parameters<typeof startRealService>[1] = {}): Promise<RealService> {
  await service?.close()
  service = await startRealService(devnet, { file: join(directory, 'firmquote.db'), ...options })
  return service
}

/** Runs an auction with the quotes of two backers. */
async function runAuction({ hub, clock }: RealService): Promise<SignedQuote[]> {
  const deadline = BigInt(Math.floor(clock.now() / 1000) + 3_600)
  const quotes = await Promise.all(
    [devnet.backers[0], devnet.backers[1]].map((backer) => signedQuote(devnet, backer, { deadline })),
  )
  const { poolId } = devnet.pools[0]
  const seriesKey = quotes[0]?.seriesKey ?? poolId
  const opened = await hub.open({ poolId, seriesKey, notional: 1_000_000_000n }, { address: 'one' })
  if (!opened.ok) throw new TypeError(opened.rejection.code)
  for (const quote of quotes) {
    const submission = { backer: quote.maker, rfqId: publicRfqId(opened.value.rfq.rfqId), quote }
    expect(await hub.submit(submission)).toMatchObject({ ok: true })
  }
  clock.advance(15_000)
  await opened.value.result()
  return quotes
}

describe('recent observations', () => {
  test('behavior: survive a restart', async () => {
    const first = await start()
    await runAuction(first)
    const before = await first.book.observations({})
    expect(before.map(({ executable }) => executable)).toEqual([true, true])
    const again = await start()
    expect(await again.book.observations({})).toEqual(before)
  })

  test('behavior: are deleted after the retention time', async () => {
    const day = 86_400_000
    const { clock, book } = await start({ retention: { milliseconds: day, auctionQuotes: 1_000 } })
    await runAuction(service as RealService)
    clock.advance(day - 60_000)
    const middle = await runAuction(service as RealService)
    expect(await book.observations({})).toHaveLength(4)
    clock.advance(120_000)
    await runAuction(service as RealService)
    const left = (await book.observations({})).map(({ maker, notional }) => ({ maker, notional }))
    expect(left).toHaveLength(4)
    expect(left.slice(2)).toEqual(expect.arrayContaining(middle.map(({ maker, notional }) => ({ maker, notional }))))
  })

  test('behavior: are deleted above the retention limit, oldest first', async () => {
    const running = await start({ retention: { milliseconds: 86_400_000, auctionQuotes: 4 } })
    await runAuction(running)
    const oldest = (await running.book.observations({})).map(({ hash }) => hash)
    await runAuction(running)
    await runAuction(running)
    const kept = (await running.book.observations({})).map(({ hash }) => hash)
    expect(kept).toHaveLength(4)
    expect(kept.filter((hash) => oldest.includes(hash))).toEqual([])
  })

  test('behavior: contain no signature', async () => {
    const running = await start()
    const quotes = await runAuction(running)
    const server = await listenForTest({ service: running, domain: domainOf(devnet), clock: running.clock })
    try {
      const text = await (await fetch(`${server.api}/rfq/quotes/recent`)).text()
      expect(JSON.parse(text).quotes).toHaveLength(2)
      expect(text).not.toContain('signature')
      for (const { signature } of quotes) expect(text).not.toContain(signature.slice(2, 66))
    } finally {
      await server.close()
      service = undefined
      await running.close()
    }
  })
})
