// One balance of 50,000 tUSD passes through many new keys, each of which publishes quotes at 0 % while it has the
// balance. An attack takes the balance, which the attacker keeps, and one transfer and one approval per key: about $0.30
// of gas for 112 keys.
//
// Then 64 connections request rates at random sizes, which takes nothing but 64 connections: from one address, from one
// /24, and from 64 networks.

import { serializeQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { type Hex, maxUint256, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { quantile } from '../quantile.ts'
import { quoteOf } from '../quoteOf.ts'
import { sendRaw } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin, printHonest, startAdversarialFixture } from './adversarialFixture.ts'

const connections = 64
const balance = 50_000_000_000n
/** The devnet's minimum notional. */
const smallest = 100_000_000n
/** Twenty two-second blocks. An idle machine needs two or three. */
const patienceMs = 40_000

/** The number of keys, each key's number of quotes and final balance, and the attacker's cost. */
type Attack = { name: string; keys: number; quotes: number; left: bigint; revokes?: boolean; cost: string }
const attacks: Attack[] = [
  { name: 'the balance moves on', keys: 112, quotes: 3, left: 0n, cost: '112 transfers' },
  { name: 'the minimum stays', keys: 60, quotes: 2, left: smallest, cost: '60 transfers, 6,000 tUSD locked' },
  { name: 'the approval is revoked', keys: 60, quotes: 2, left: balance, revokes: true, cost: '60 approvals' },
  { name: 'one quote per key', keys: 120, quotes: 1, left: 0n, cost: '120 transfers' },
]

const floods: [name: string, addressOf: (index: number) => string][] = [
  ['one address', () => '127.8.0.1'],
  ['one /24', (index) => `127.8.1.${index + 2}`],
  ['64 networks', (index) => `127.6.${index}.1`],
]

const started = stopAfter(afterEach)

test('behavior: quotes without funds hide no rate, depth or list, and requested sizes are served', async () => {
  const fixture = started(await startAdversarialFixture())
  const { devnet, servers, urlOf, series } = fixture
  const funds = fundsSetter(devnet)
  const domain = { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket }
  let turn = 0
  /** Creates a function that publishes a maker's quotes. */
  const publisher = async ({ address, privateKey }: DevnetAccount) => {
    const signer = await createQuoteSigner(privateKey, domain)
    return async (vrtAmount: bigint) => {
      const quote = quoteOf(address, { ...series, notional: balance, vrtAmount })
      const body = { ...serializeQuote(quote), signature: signer.signQuote(quote) }
      const { status } = await sendRaw(`${urlOf(turn++)}/api/v1/quotes`, { body, localAddress: '127.9.0.1' })
      expect(status).toBe(201)
    }
  }
  const honest = [devnet.backers[1], devnet.backers[2]]
  for (const maker of honest) await (await publisher(maker))(500_000_000n)
  const users = await fixture.startHonest()
  await users.quoted(1)

  /** Whether every server shows the honest rate and lists the honest quotes first. */
  const isHonest = async () => {
    const shown = servers.urls.map(async (orderbookUrl) => {
      const client = new ServiceClient({ orderbookUrl })
      const [pools, list] = await Promise.all([
        client.getPoolRates(),
        client.getQuoteMarketQuotes({ seriesKey: series.seriesKey, sort: 'rate', limit: 100 }),
      ])
      const found = pools.flatMap((pool) => pool.series).find(({ seriesKey }) => seriesKey === series.seriesKey)
      const executable = list.quotes.filter(({ executable }) => executable).length
      return (found?.bestApr ?? 0) > 0 && (found?.depth.quotes ?? 0) >= 2 && executable === list.quotes.length
    })
    return (await Promise.all(shown)).every(Boolean)
  }
  expect(await holdsWithin(patienceMs, isHonest)).toBe(true)

  const rows: string[] = []
  for (const { name, keys, quotes, left, revokes = false, cost } of attacks) {
    for (let index = 0; index < keys; index += 1) {
      const privateKey = generatePrivateKey()
      const key = { address: privateKeyToAddress(privateKey), privateKey }
      await funds(key, { amount: balance, allowance: maxUint256 })
      const publish = await publisher(key)
      for (let count = 0; count < quotes; count += 1) await publish(0n)
      await funds(key, { amount: left, allowance: revokes ? 0n : maxUint256 })
    }
    const endedAt = performance.now()
    expect(await holdsWithin(patienceMs, isHonest)).toBe(true)
    rows.push(`${name} (${cost}): honest again after ${Math.round(performance.now() - endedAt)} ms`)
  }

  // A maker is shown again once it regains its funds.
  const [maker] = honest
  if (!maker) throw new RangeError('There is no honest maker.')
  const has = (count: number) => async () => {
    const { quotes } = await new ServiceClient({ orderbookUrl: urlOf(0) }).getQuoteMarketQuotes({
      sort: 'rate',
      limit: 100,
    })
    return quotes.filter((one) => one.quote.maker === maker.address).length === count
  }
  await funds(maker, { amount: 0n, allowance: maxUint256 })
  expect(await holdsWithin(patienceMs, has(0))).toBe(true)
  await funds(maker, { amount: balance, allowance: maxUint256 })
  expect(await holdsWithin(patienceMs, has(1))).toBe(true)

  process.stdout.write(`unfundedQuotes: ${rows.join('; ')}\n`)

  for (const [name, addressOf] of floods) {
    const flood = started(startFlood(urlOf, addressOf))
    const sized = await requestSizes(urlOf)
    const answers = await flood.stop()
    const served = sized.filter(({ status }) => status === 200)
    const p99 = Math.round(
      quantile(
        sized.map(({ ms }) => ms),
        0.99,
      ),
    )
    process.stdout.write(
      `unfundedQuotes: random sizes from ${name}: ${answers} answers; honest sizes: ${served.length} of ${sized.length}, ` +
        `p99 ${p99} ms\n`,
    )
    expect(served).toHaveLength(sized.length)
  }
  const figures = await users.finish()
  printHonest('unfundedQuotes', figures)
  expect(figures.auctions.every(({ quotes }) => quotes > 0)).toBe(true)
}, 240_000)

/** Creates a function that sets an account's balance and allowance using the node's test methods. */
function fundsSetter({ testClient, contracts: { loanToken, quoteMarket } }: Devnet) {
  const request = (method: string, params: readonly Hex[]) => testClient.request({ method, params } as never)
  return async ({ address }: DevnetAccount, { amount, allowance }: { amount: bigint; allowance: bigint }) => {
    await request('anvil_dealERC20', [address, loanToken, numberToHex(amount)])
    await request('anvil_setERC20Allowance', [address, quoteMarket, loanToken, numberToHex(allowance)])
    await testClient.mine({ blocks: 1 })
  }
}

const sizedPath = (size: bigint) => `/api/v1/pools/rates?notional=${size}`

/** Requests rates at random sizes. `stop` returns the number of answers. */
function startFlood(
  urlOf: (turn: number) => string,
  addressOf: (index: number) => string,
): { stop(): Promise<number> } {
  let running = true
  let answers = 0
  const send = async (index: number) => {
    while (running) {
      const size = smallest + BigInt(Math.floor(Math.random() * 1e11))
      await sendRaw(`${urlOf(answers)}${sizedPath(size)}`, { localAddress: addressOf(index) })
      answers += 1
    }
  }
  const sending = Array.from({ length: connections }, (_, index) => send(index))
  return {
    async stop() {
      running = false
      await Promise.all(sending)
      return answers
    },
  }
}

/** Requests 30 different sizes, one after the other, each from another network. */
async function requestSizes(urlOf: (turn: number) => string): Promise<{ status: number | null; ms: number }[]> {
  const results: { status: number | null; ms: number }[] = []
  for (let index = 0; index < 30; index += 1) {
    const askedAt = performance.now()
    const size = 10_000_000_000n + BigInt(index) * 1_234_567n
    const { status } = await sendRaw(`${urlOf(index)}${sizedPath(size)}`, { localAddress: `127.7.${index}.1` })
    results.push({ status, ms: performance.now() - askedAt })
  }
  return results
}
