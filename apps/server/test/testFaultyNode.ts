import { expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import { devnet, useDevnet } from '../../../packages/devnet/test/testDevnet.ts'
import {
  createQuoteGenerator,
  createRandomInteger,
  type QuoteGenerator,
  type RandomQuote,
  readPreviews,
} from './randomQuotes.ts'
import { type RealService, startRealService } from './realService.ts'
import type { Interference, RpcCall } from './rpcProxy.ts'

// A batch's quotes are read together and are therefore affected by the same faults.
const atOnce = 20

type Fault = (call: RpcCall) => Interference | Promise<Interference>

/** Node faults. Each fault affects 5 % of the requests to which it applies. */
function faultsOf(oldBlock: unknown): Record<string, Fault> {
  const only =
    (method: string, result: unknown): Fault =>
    (call) =>
      call.method === method ? { result } : undefined
  return {
    'no answer': () => new Promise(() => {}),
    429: () => ({ status: 429 }),
    503: () => ({ status: 503 }),
    'broken JSON': () => ({ body: '{"jsonrpc":"2.0","id":1,"resu' }),
    '20 blocks behind': (call) =>
      call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest' ? { result: oldBlock } : undefined,
    'no logs': only('eth_getLogs', []),
    'another chain id': only('eth_chainId', '0x1'),
  }
}

/** Defines a test that sends random quotes through a faulty node. The same seed generates the same quotes. */
export function testFaultyNode({ count, seed }: { count: number; seed: number }): void {
  let generator: QuoteGenerator
  let service: RealService

  useDevnet(async () => {
    generator = await createQuoteGenerator(devnet)
    service = await startRealService(devnet, {
      rpcTimeoutMs: 1_000,
      limits: {
        minQuoteLifetimeSeconds: 0,
        maxQuoteLifetimeSeconds: 10 ** 9,
        dustDivisor: Number.MAX_SAFE_INTEGER,
        storedQuotesPerMaker: count,
      },
    })
    return () => service.close()
  })

  test(
    `behavior: of ${count} quotes with every fault of a node, none is accepted that the contract refuses (seed ${seed})`,
    async () => {
      const random = createRandomInteger(seed)
      const height = await devnet.publicClient.getBlockNumber()
      const oldBlock = await devnet.publicClient.request({
        method: 'eth_getBlockByNumber',
        params: [numberToHex(height - 20n), false],
      })
      const faults = Object.entries(faultsOf(oldBlock))
      const happened = new Map<string, number>()
      service.node.interfere = async (call) => {
        for (const [name, fault] of faults) {
          // Each fault occurs at its first opportunity and randomly after that.
          if (happened.has(name) && random(20) > 0) continue
          const interference = fault(call)
          if (interference === undefined) continue
          happened.set(name, (happened.get(name) ?? 0) + 1)
          return interference
        }
        return undefined
      }

      const seen = { good: 0, accepted: 0, refused: 0 }
      for (let done = 0; done < count; done += atOnce) {
        const batch: RandomQuote[] = []
        for (let index = 0; index < atOnce; index += 1) batch.push(await generator.next(random))
        const quotes = batch.map(({ quote }) => quote)
        // Mines a new block for the sync.
        await devnet.testClient.mine({ blocks: 1 })
        const reasons = await readPreviews(devnet, quotes, await devnet.publicClient.getBlockNumber())
        const sync = service.sync.cycle().catch(() => {})
        const outcomes = await Promise.all(quotes.map((quote) => service.book.submit(quote)))
        await sync
        outcomes.forEach((outcome, index) => {
          const where = { number: done + index, faults: batch[index]?.faults, reason: reasons[index] }
          // The service finds an earlier published quote even if its signature is now invalid.
          if (outcome.ok && !outcome.value.created) return
          if (reasons[index] === '') seen.good += 1
          const code = outcome.ok ? 'accepted' : outcome.rejection.code
          if (code === 'CHAIN_UNAVAILABLE') return
          seen[outcome.ok ? 'accepted' : 'refused'] += 1
          expect({ ...where, code, accepted: outcome.ok }).toEqual({ ...where, code, accepted: reasons[index] === '' })
        })
      }
      expect(seen.good).toBeGreaterThan(count / 10)
      // Retries find an answer, except in some of the first batches, which contain every fault.
      expect(seen.accepted / seen.good).toBeGreaterThan(count < 2_000 ? 0.4 : 0.9)
      expect(seen.refused).toBeGreaterThan(count / 4)
      for (const [name] of faults)
        expect({ name, happened: happened.get(name) ?? 0 }).not.toEqual({ name, happened: 0 })
    },
    90_000 * Math.ceil(count / 2_000),
  )
}
