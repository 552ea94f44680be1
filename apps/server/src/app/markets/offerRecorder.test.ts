import { quoteApr } from '@firmquote/core'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Hex, maxUint256, numberToHex } from 'viem'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { unbanned } from '../../../test/noControls.ts'
import { devnetDeps, type RealService, signaturesOf, signedQuote, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { createRpcClient } from '../../adapters/viemChain/viemChain.ts'
import { createQuoteStateQueries } from '../quotes/quoteStateQueries.ts'
import { createUnfundedMakers } from '../quotes/unfundedMakers.ts'
import { createUnprovenMakers } from '../quotes/unprovenMakers.ts'
import { createOfferBook } from './offerBook.ts'
import { createOfferRecorder } from './offerRecorder.ts'

/** 1 % of the remaining capacity, the default size. */
const notional = 100_000_000_000n

let service: RealService

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(() => service.close())

/** Publishes a backer's quote for the default size. */
async function publish(index: 0 | 1 | 2, changes: Parameters<typeof signedQuote>[2]) {
  const quote = await signedQuote(devnet, devnet.backers[index], { notional, ...changes })
  expect(await service.book.submit(quote)).toMatchObject({ ok: true })
}

/** Creates a recorder that uses the service's store and node. */
async function createRecorder() {
  const { clock, store, node } = service
  const client = createRpcClient({ rpcUrl: node.url, timeoutMs: 10_000 })
  const logs: string[] = []
  const halted = new Set<Hex>()
  const write = (_: object, message: string) => void logs.push(message)
  const log = { debug: write, info: write, warn: write, error: write }
  const { chain, limits } = devnetDeps(devnet, { clock, client, auctionDurationMs: 15_000, version: '1.2.3' })
  const deps = { chain, clock, store, limits }
  const offerBook = createOfferBook({
    ...deps,
    ...unbanned,
    quoteStateQueries: createQuoteStateQueries(await signaturesOf(domainOf(devnet))),
    unprovenMakers: createUnprovenMakers(deps),
    unfundedMakers: createUnfundedMakers(deps),
  })
  const halts = { series: async () => halted }
  const given = { ...deps, log, rateHistoryDays: 400, offerBook, halts }
  const recorder = createOfferRecorder(given, { status: service.sync.status, leads: () => true })
  return {
    logs,
    /** The halted series. */
    halted,
    /** Mines blocks and reads. Returns the recorded days. */
    async pass(blocks: number) {
      await devnet.testClient.mine({ blocks })
      clock.advance(10_000)
      await service.sync.cycle()
      await recorder.advance()
      return store.listOfferDays({ poolId: devnet.pools[0].poolId, from: 0, to: 2 ** 40, limit: 100 })
    },
  }
}

test('default: the best offer that stood for 30 blocks, not one for a single taker', async () => {
  await publish(0, { vrtAmount: 900_000_000n })
  await publish(1, { vrtAmount: 800_000_000n })
  await publish(2, { vrtAmount: 0n, taker: devnet.borrowers[0].address })
  const { pass } = await createRecorder()
  expect(await pass(1)).toEqual([])
  expect(await pass(29)).toEqual([])
  const [found, ...others] = await pass(1)
  expect(others).toEqual([])
  const expiry = devnet.pools[0].series[1]?.expiry ?? 0
  const { timestamp } = await devnet.publicClient.getBlock()
  const now = Math.max(Number(timestamp), Math.floor(service.clock.now() / 1_000))
  const price = { notional, vrtAmount: 800_000_000n, at: now }
  const apr = quoteApr(price, expiry, now)
  expect(found).toEqual({ seriesKey: expect.any(String), notional, expiry, apr, price, day: now - (now % 86_400) })
})

test('behavior: quotes that their maker could not fund for some of the time do not count', async () => {
  await publish(0, { vrtAmount: 900_000_000n })
  await publish(1, { vrtAmount: 0n })
  const approve = async (amount: bigint) => {
    const { loanToken, quoteMarket } = devnet.contracts
    const params = [devnet.backers[1].address, quoteMarket, loanToken, numberToHex(amount)]
    await devnet.testClient.request({ method: 'anvil_setERC20Allowance', params } as never)
  }
  const { pass } = await createRecorder()
  await pass(1)
  await approve(0n)
  await pass(10)
  await approve(maxUint256)
  const [first] = await pass(20)
  expect(first?.apr).toBeGreaterThan(0)
  // Now it has stood.
  const [second] = await pass(30)
  expect(second?.apr).toBe(0)
})

test('behavior: offers of a halted series do not count, and start again when it is resumed', async () => {
  await publish(0, { vrtAmount: 900_000_000n })
  const { pass, halted } = await createRecorder()
  await pass(1)
  for (const { seriesKey } of await service.store.listSeries()) halted.add(seriesKey)
  expect(await pass(30)).toEqual([])
  halted.clear()
  expect(await pass(1)).toEqual([])
  expect(await pass(30)).toHaveLength(1)
})

test('behavior: after a failed read, offers start again', async () => {
  await publish(0, { vrtAmount: 900_000_000n })
  const { pass, logs } = await createRecorder()
  await pass(1)
  service.node.interfere = ({ method }) => (method === 'eth_call' ? { status: 500 } : undefined)
  expect(await pass(30)).toEqual([])
  expect(await pass(1)).toEqual([])
  expect(logs).toEqual(['failed to record the standing offers'])
  service.node.interfere = () => undefined
  expect(await pass(1)).toEqual([])
  expect(await pass(30)).toHaveLength(1)
})
