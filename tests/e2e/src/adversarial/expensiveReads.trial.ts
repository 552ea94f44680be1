// One client sends 400 of the most expensive reads a second, each with other parameters, so that no answer is cached.
// The attack requires one address and no tokens.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ServiceClient } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { quantile } from '../quantile.ts'
import { quoteOf, signerOf } from '../quoteOf.ts'
import { sendRaw, startedRfqId } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { startAdversarialFixture } from './adversarialFixture.ts'
import type { ReadsReport, ReadsSetup } from './readsAttacker.ts'

const usd = 1_000_000n
const quotesEach = 300
const perSecond = 400
const rounds = 200

const started = stopAfter(afterEach)

test('behavior: expensive reads from one address do not delay RFQs', async () => {
  const quotas = { RFQS_PER_MINUTE: '100000', OPEN_RFQS: '1000', OPEN_AUCTIONS: '1000' }
  const settings = {
    ...quotas,
    STORED_QUOTES_PER_MAKER: String(quotesEach),
    AUCTION_DURATION_MS: '1000',
    LOG_LEVEL: 'warn',
  }
  const fixture = started(await startAdversarialFixture(settings))
  const { devnet, series, url } = fixture
  const client = new ServiceClient({ orderbookUrl: url })
  for (const { address, privateKey } of devnet.backers.slice(0, 3)) {
    const signer = signerOf(devnet, privateKey)
    for (let turn = 0; turn < quotesEach; turn += 1) {
      const notional = (1_000n + BigInt(turn)) * usd
      const quote = quoteOf(address, { ...series, notional, vrtAmount: notional / 100n })
      await client.submitQuoteMarketQuote(await signer.signQuoteMarketQuote(quote))
    }
  }
  const { poolId } = series
  const api = '/api/v1'
  const [{ address }] = devnet.borrowers
  const paths = [
    `${api}/pools/rates?notional=10000{n}`,
    `${api}/quotes?sort=rate&limit=100&minNotional={n}`,
    `${api}/positions/all?address=${address}&status=all`,
    `${api}/rates/history?poolId=${poolId}&from=17000{n}`,
    `${api}/rfq/quotes/recent?limit=100`,
  ]

  /** Milliseconds until each of an honest borrower's RFQs has started. */
  const ask = async () => {
    const times: number[] = []
    for (let turn = 0; turn < rounds; turn += 1) {
      const askedAt = performance.now()
      const body = { ...series, notional: '10000000000' }
      const answer = await sendRaw(`${url}${api}/rfq/quote/stream`, { body, localAddress: '127.9.1.1' })
      expect(startedRfqId(answer)).not.toBeNull()
      times.push(performance.now() - askedAt)
      await sleep(25)
    }
    return times
  }

  const alone = await ask()
  const setup: ReadsSetup = { url, localAddress: '127.9.0.1', paths, perSecond }
  const attacker = new Worker(new URL('./readsAttacker.ts', import.meta.url), { workerData: setup })
  started({ stop: () => attacker.terminate() })
  await once(attacker, 'online')
  const attackedAt = performance.now()
  // By then, the attacker has spent what it had saved up.
  await sleep(4_000)
  const attacked = await ask()
  attacker.postMessage('finish')
  const [{ statuses }] = (await once(attacker, 'message')) as [ReadsReport]
  const seconds = (performance.now() - attackedAt) / 1_000

  const figures = (times: readonly number[]) =>
    `p50 ${Math.round(quantile(times, 0.5))} ms, p99 ${Math.round(quantile(times, 0.99))} ms`
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${Math.round(count / seconds)}/s`)
  process.stdout.write(
    `expensive reads: RFQs start in ${figures(alone)} alone, in ${figures(attacked)} beside ${perSecond} reads a ` +
      `second (answers ${answers.join(', ')})\n`,
  )
  // The five reads cost 19 together, of the 100 that accrue each second after the first 1,000. Cheap ones are
  // affordable more often.
  expect(statuses[200]).toBeLessThan((1_000 + 100 * seconds) / 2)
  expect((statuses[200] ?? 0) + (statuses[429] ?? 0)).toBe(Object.values(statuses).reduce((sum, count) => sum + count))
  expect(quantile(attacked, 0.99)).toBeLessThan(quantile(alone, 0.99) + 1_000)
}, 120_000)
