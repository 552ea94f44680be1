// Long because both entry points share one table of rejections. Separate tables could diverge.

import {
  type Code,
  type QuoteAckMessage,
  type QuoteMarketQuote,
  quoteMarketAbi,
  type SerializedSignedQuote,
  toPublicRfqId,
  toRfqId,
} from '@firmquote/core'
import { decodeOrThrow, problemShape } from '@firmquote/core/wire'
import { type Devnet, type DevnetAccount, interestRatePoolAbi, startDevnet, testTokenAbi } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { getAddress, type Hex, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, nowSeconds, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { publicRfqId } from '../domain/rfqIds.ts'

/** A notional above every series' capacity. */
const largest = 20_000_000_000_000n
const durationMs = 4_000

let devnet: Devnet
let server: RealServer
let maker: DevnetAccount
const sockets = new Map<Hex, Awaited<ReturnType<typeof connectBacker>>>()

async function start(): Promise<void> {
  devnet = await startDevnet()
  ;[maker] = devnet.backers
  server = await startRealServer(devnet, { durationMs })
}

async function stop(): Promise<void> {
  sockets.clear()
  await server?.close()
  await devnet?.stop()
}

beforeAll(start)
afterAll(stop)

async function socketOf(backer: DevnetAccount) {
  const known = sockets.get(backer.privateKey)
  if (known) return known
  const client = await connectBacker(server.wsUrl, privateKeyToAccount(backer.privateKey))
  sockets.set(backer.privateKey, client)
  return client
}

/** Opens an auction. `rfqId` is its public ID. */
async function openRfq(backer: DevnetAccount, changes: object = {}) {
  const client = await socketOf(backer)
  const [pool] = devnet.pools
  const size = { notional: `${largest}`, minNotional: '1' }
  const body = { poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, ...size, ...changes }
  const disconnect = new AbortController()
  const response = await fetch(`${server.api}/rfq/quote/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: disconnect.signal,
  })
  expect(response.status).toBe(200)
  const started = await response.body?.getReader().read()
  const borrowersId = /"rfqId":"(\w+)"/.exec(new TextDecoder().decode(started?.value))?.[1]
  // The auction runs on without an open stream.
  disconnect.abort()
  const rfqId = publicRfqId(toRfqId(borrowersId ?? ''))
  // The socket also receives other tests' RFQs.
  let rfq = await client.next('rfq')
  while (rfq.rfqId !== rfqId) rfq = await client.next('rfq')
  return { client, ...rfq }
}

async function submit(
  { client, rfqId }: Pick<Awaited<ReturnType<typeof openRfq>>, 'client' | 'rfqId'>,
  quote: SerializedSignedQuote,
): Promise<QuoteAckMessage> {
  const id = `${Math.random()}`
  client.send({ type: 'quote', id, rfqId, quote })
  const ack = await client.next('quote_ack')
  expect(ack).toMatchObject({ id, rfqId })
  return ack
}

function post(quote: object): Promise<Response> {
  return fetch(`${server.api}/quotes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  })
}

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  return decodeOrThrow(problemShape, await response.json(), 'problem')
}

type Refusal = { code: Code; details?: Record<string, unknown> }
type Case = {
  what: string
  build(): Promise<SerializedSignedQuote> | SerializedSignedQuote
  by?: () => DevnetAccount
  ws: Refusal
  http: Refusal & { status?: number }
}

const both = (refusal: Refusal): Pick<Case, 'ws' | 'http'> => ({ ws: refusal, http: refusal })
const signed = (changes: Partial<QuoteMarketQuote> = {}) =>
  signQuote(maker, domainOf(devnet), createQuote(devnet, maker, changes))

/** An account without loan tokens. */
const poor: DevnetAccount = accountOf(`0x${'0a'.repeat(32)}`)
/** An account with loan tokens but without an allowance for the quote market. */
const guarded: DevnetAccount = accountOf(`0x${'0b'.repeat(32)}`)
/** An account whose nonce has been raised. */
const raised: DevnetAccount = accountOf(`0x${'0c'.repeat(32)}`)

function accountOf(privateKey: Hex): DevnetAccount {
  return { address: privateKeyToAccount(privateKey).address, privateKey }
}

async function send(
  account: DevnetAccount,
  call: { address: Hex; abi: unknown; functionName: string; args?: unknown[] },
) {
  const wallet = devnet.walletClient(account)
  const hash = await wallet.writeContract({ ...call, args: call.args ?? [] } as Parameters<
    typeof wallet.writeContract
  >[0])
  const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
}

async function withMalleatedSignature(): Promise<SerializedSignedQuote> {
  const quote = await signed()
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = BigInt(`0x${quote.signature.slice(66, 130)}`)
  const v = quote.signature.endsWith('1b') ? '1c' : '1b'
  return { ...quote, signature: `${quote.signature.slice(0, 66) as Hex}${toHex(order - s, { size: 32 }).slice(2)}${v}` }
}

const cases: Case[] = [
  {
    what: 'a deadline that has passed',
    build: () => signed({ deadline: nowSeconds() - 5n }),
    ...both({ code: 'DEADLINE_PASSED' }),
  },
  {
    what: 'a deadline below the minimum lifetime',
    build: () => signed({ deadline: nowSeconds() + 10n }),
    ...both({ code: 'DEADLINE_TOO_SOON' }),
  },
  {
    what: 'a deadline that is further away than a day',
    build: () => signed({ deadline: nowSeconds() + 90_000n }),
    ...both({ code: 'DEADLINE_TOO_FAR' }),
  },
  {
    what: 'a nonce that is not the current one',
    build: () => signed({ nonce: 1n }),
    ...both({ code: 'NONCE_MISMATCH', details: { nonce: '1', makerNonce: '0' } }),
  },
  {
    what: 'a nonce below the raised one',
    by: () => raised,
    build: async () => {
      await devnet.testClient.setBalance({ address: raised.address, value: parseEther('1') })
      const nonces = { address: devnet.contracts.quoteMarket, abi: quoteMarketAbi, args: [raised.address] } as const
      if ((await devnet.publicClient.readContract({ ...nonces, functionName: 'nonces' })) === 0n) {
        await send(raised, { ...nonces, functionName: 'raiseNonce', args: [] })
      }
      return signQuote(raised, domainOf(devnet), createQuote(devnet, raised))
    },
    ...both({ code: 'NONCE_MISMATCH', details: { nonce: '0', makerNonce: '1' } }),
  },
  {
    what: 'a quote that its maker has cancelled',
    build: async () => {
      const quote = createQuote(devnet, maker)
      await send(maker, {
        address: devnet.contracts.quoteMarket,
        abi: quoteMarketAbi,
        functionName: 'cancelQuote',
        args: [quote],
      })
      return signQuote(maker, domainOf(devnet), quote)
    },
    ...both({ code: 'QUOTE_CANCELLED' }),
  },
  {
    what: 'a quote that has been taken',
    build: async () => {
      const quote = createQuote(devnet, maker)
      const serialized = await signQuote(maker, domainOf(devnet), quote)
      await send(devnet.borrowers[0], {
        address: devnet.contracts.quoteMarket,
        abi: quoteMarketAbi,
        functionName: 'takeQuote',
        args: [quote, serialized.signature, quote.vrtAmount],
      })
      return serialized
    },
    ...both({ code: 'QUOTE_FILLED' }),
  },
  {
    what: 'a pool that does not exist',
    build: () => signed({ poolId: `0x${'12'.repeat(32)}` }),
    // A quote for another pool does not match the auction's terms, even if that pool exists.
    ws: { code: 'TERMS_MISMATCH', details: { field: 'poolId' } },
    http: { code: 'POOL_NOT_FOUND', details: { poolId: `0x${'12'.repeat(32)}` } },
  },
  {
    what: 'a series that does not exist',
    build: () => signed({ seriesKey: `0x${'34'.repeat(32)}` }),
    ws: { code: 'TERMS_MISMATCH', details: { field: 'seriesKey' } },
    http: { code: 'SERIES_NOT_FOUND', details: { seriesKey: `0x${'34'.repeat(32)}` } },
  },
  {
    what: 'a series of another pool',
    build: () => signed({ seriesKey: devnet.pools[1].series[1]?.seriesKey ?? '0x' }),
    ws: { code: 'TERMS_MISMATCH', details: { field: 'seriesKey' } },
    http: { code: 'SERIES_NOT_FOUND' },
  },
  {
    what: 'a notional above the capacity of the series',
    build: () => signed({ notional: largest }),
    ...both({ code: 'CAPACITY_EXCEEDED', details: { notional: `${largest}`, capacity: expect.any(String) } }),
  },
  {
    what: 'a notional below the least of the series',
    build: () => signed({ notional: 99_999_999n }),
    ...both({ code: 'NOTIONAL_TOO_SMALL', details: { notional: '99999999', limit: '100000000' } }),
  },
  {
    what: 'a maker without enough tokens',
    by: () => poor,
    build: () => signQuote(poor, domainOf(devnet), createQuote(devnet, poor)),
    ...both({ code: 'INSUFFICIENT_BALANCE', details: { balance: '0', needed: '1000000000' } }),
  },
  {
    what: 'a maker without an allowance',
    by: () => guarded,
    build: async () => {
      await send(devnet.deployer, {
        address: devnet.contracts.loanToken,
        abi: testTokenAbi,
        functionName: 'mint',
        args: [guarded.address, 1_000_000_000n],
      })
      return signQuote(guarded, domainOf(devnet), createQuote(devnet, guarded))
    },
    ...both({ code: 'INSUFFICIENT_ALLOWANCE', details: { allowance: '0', needed: '1000000000' } }),
  },
  {
    what: 'the signature of another account',
    build: () => signQuote(devnet.backers[1], domainOf(devnet), createQuote(devnet, maker)),
    ...both({
      code: 'BAD_SIGNATURE',
      details: {
        cause: 'other_signer',
        digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        recovered: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      },
    }),
  },
  {
    what: 'a signature for another chain',
    build: () => signQuote(maker, { ...domainOf(devnet), chainId: 1 }, createQuote(devnet, maker)),
    ...both({ code: 'BAD_SIGNATURE', details: { cause: 'wrong_chain' } }),
  },
  {
    what: 'a signature for another contract',
    build: () =>
      signQuote(
        maker,
        { ...domainOf(devnet), quoteMarket: devnet.contracts.interestRatePool },
        createQuote(devnet, maker),
      ),
    ...both({ code: 'BAD_SIGNATURE', details: { cause: 'wrong_contract' } }),
  },
  {
    what: 'a signature over another nonce',
    build: async () => {
      const quote = createQuote(devnet, maker)
      const { signature } = await signQuote(maker, domainOf(devnet), { ...quote, nonce: 1n })
      return { ...(await signQuote(maker, domainOf(devnet), quote)), signature }
    },
    ...both({ code: 'BAD_SIGNATURE', details: { cause: 'stale_nonce' } }),
  },
  {
    what: 'a signature over other amounts',
    build: async () => ({ ...(await signed()), vrtAmount: '1' }),
    ...both({ code: 'BAD_SIGNATURE' }),
  },
  {
    what: 'a malleated signature (high s)',
    build: withMalleatedSignature,
    ...both({ code: 'BAD_SIGNATURE', details: { cause: 'high_s' } }),
  },
  {
    what: 'a signature with v of 0 or 1',
    build: async () => {
      const quote = await signed()
      return { ...quote, signature: `${quote.signature.slice(0, 130) as Hex}00` }
    },
    ...both({ code: 'BAD_SIGNATURE', details: { cause: 'v_not_27_or_28' } }),
  },
  {
    what: 'a compact signature',
    build: async () => {
      const quote = await signed()
      return { ...quote, signature: quote.signature.slice(0, 130) as Hex }
    },
    ...both({ code: 'BAD_SIGNATURE', details: { cause: 'not_65_bytes' } }),
  },
]

describe('over the socket', () => {
  test.each(cases.map((row) => [row.ws.code, row.what, row] as const))('error: %s for %s', async (code, _what, row) => {
    const backer = row.by?.() ?? maker
    const quote = await row.build()
    const ack = await submit(await openRfq(backer), quote)
    expect(ack).toMatchObject({ status: 'rejected', code, message: expect.any(String) })
    if (row.ws.details) expect(ack).toMatchObject({ details: row.ws.details })
  })

  test('error: quotes that do not match the auction, with the expected values', async () => {
    const other = devnet.backers[1]
    const { address } = devnet.borrowers[1]
    const size = { notional: '1000000000', minNotional: '700000000', maxVrtAmount: '10' }
    const rfq = await openRfq(maker, size)
    const least = BigInt(Math.ceil(rfq.closesAt / 1_000) + 60)
    expect(rfq).toMatchObject({ ...size, minDeadline: `${least}` })
    const fitting = { notional: 700_000_000n, vrtAmount: 10n, deadline: least }
    const refusals: [Partial<QuoteMarketQuote>, Refusal][] = [
      [{ notional: 1_000_000_001n }, { code: 'NOTIONAL_TOO_LARGE', details: { limit: '1000000000' } }],
      [{ notional: 699_999_999n }, { code: 'NOTIONAL_TOO_SMALL', details: { limit: '700000000' } }],
    ]
    for (const [changes, refusal] of refusals) {
      expect(await submit(rfq, await signed({ ...fitting, ...changes }))).toMatchObject(refusal)
    }
    expect(await submit(rfq, await signed(fitting))).toMatchObject({ status: 'accepted' })
    const again = await openRfq(maker, size)
    const more: [Partial<QuoteMarketQuote>, Refusal][] = [
      [{ deadline: least - 1n }, { code: 'DEADLINE_TOO_SOON' }],
      [{ vrtAmount: 11n }, { code: 'VRT_AMOUNT_TOO_LARGE', details: { vrtAmount: '11', limit: '10' } }],
      [{ taker: address }, { code: 'TERMS_MISMATCH', details: { field: 'taker', value: address } }],
    ]
    for (const [changes, refusal] of more) {
      expect(await submit(again, await signed({ ...fitting, ...changes }))).toMatchObject(refusal)
    }
    // The backer has used all three attempts.
    expect(await submit(again, await signed({ ...fitting, deadline: least + 60n }))).toMatchObject({
      code: 'ALREADY_QUOTED',
      details: { hash: null },
    })
    const foreign = await signQuote(other, domainOf(devnet), createQuote(devnet, other))
    expect(await submit(await openRfq(maker), foreign)).toMatchObject({
      code: 'MAKER_MISMATCH',
      details: { maker: getAddress(other.address), expected: getAddress(maker.address) },
    })
  })

  test('behavior: after a reconnect, a backer sees only the auctions that it can still answer', async () => {
    const [accepting, refusing, open] = [await openRfq(maker), await openRfq(maker), await openRfq(maker)]
    expect(await submit(accepting, await signed())).toMatchObject({ status: 'accepted' })
    const refuse = async (rfq: typeof open) => submit(rfq, await signed({ notional: largest + 1n }))
    for (const rfq of [refusing, refusing, refusing, open, open]) expect((await refuse(rfq)).status).toBe('rejected')
    const listedTo = async ({ privateKey }: DevnetAccount) => {
      const again = await connectBacker(server.wsUrl, privateKeyToAccount(privateKey))
      await again.end()
      const ours = [accepting, refusing, open].map(({ rfqId }) => rfqId)
      return again.session.openRfqs.map(({ rfqId }) => rfqId).filter((rfqId) => ours.includes(rfqId))
    }
    expect(await listedTo(maker)).toEqual([open.rfqId])
    expect(await listedTo(devnet.backers[1])).toEqual([accepting.rfqId, refusing.rfqId, open.rfqId])
  })

  test('error: ALREADY_QUOTED for a second quote, RFQ_NOT_FOUND for no auction, AUCTION_CLOSED after the close', async () => {
    const rfq = await openRfq(maker)
    const first = await submit(rfq, await signed())
    expect(first).toMatchObject({ status: 'accepted', hash: expect.any(String) })
    const second = await submit(rfq, await signed({ vrtAmount: 1n }))
    expect(second).toMatchObject({ code: 'ALREADY_QUOTED', details: { hash: (first as { hash: Hex }).hash } })
    const rfqId = toPublicRfqId('f'.repeat(32))
    const unknown = await submit({ client: rfq.client, rfqId }, await signed())
    expect(unknown).toMatchObject({ code: 'RFQ_NOT_FOUND', details: { rfqId } })
    const quote = await signed()
    for (;;) if ((await rfq.client.next('auction_result')).rfqId === rfq.rfqId) break
    expect(await submit(rfq, quote)).toMatchObject({
      code: 'AUCTION_CLOSED',
      details: { closedAt: expect.any(Number) },
    })
  })
})

describe('by POST /quotes', () => {
  test.each(cases.map((row) => [row.http.code, row.what, row] as const))(
    'error: %s for %s',
    async (code, _what, row) => {
      const response = await post(await row.build())
      const problem = await problemOf(response)
      expect(problem).toMatchObject({ status: 422, code })
      if (row.http.details) expect(problem.details).toMatchObject(row.http.details)
    },
  )

  test('behavior: no rejected quote has been stored', async () => {
    const response = await fetch(`${server.api}/quotes`)
    expect(await response.json()).toEqual({ quotes: [], nextCursor: null })
  })
})

describe('an expired series and an unavailable chain', () => {
  // Neither advancing the chain's time nor a series' expiry can be undone, so every test uses a new series.
  afterEach(async () => {
    await stop()
    await start()
  })

  test('error: SERIES_EXPIRED over the socket and by POST /quotes', async () => {
    const [pool] = devnet.pools
    const { timestamp } = await devnet.publicClient.getBlock()
    const expiry = BigInt(Math.max(Number(timestamp), Number(nowSeconds()))) + 60n
    const series = { address: devnet.contracts.interestRatePool, abi: interestRatePoolAbi }
    await send(devnet.deployer, { ...series, functionName: 'createSeries', args: [pool.poolId, expiry, 10n ** 13n] })
    const events = await devnet.publicClient.getContractEvents({
      ...series,
      eventName: 'SeriesCreated',
      args: { poolId: pool.poolId },
      fromBlock: 0n,
    })
    const ending = (events.find(({ args }) => args.expiry === expiry)?.args.seriesKey ?? '0x') as Hex

    const rfq = await openRfq(maker, { seriesKey: ending })
    await devnet.testClient.increaseTime({ seconds: 120 })
    await devnet.testClient.mine({ blocks: 1 })
    const quote = await signed({ seriesKey: ending })
    const expected = { code: 'SERIES_EXPIRED', details: { seriesKey: ending, expiry: Number(expiry) } }
    expect(await submit(rfq, quote)).toMatchObject({ status: 'rejected', ...expected })
    const response = await post(quote)
    expect(response.status).toBe(422)
    expect(await problemOf(response)).toMatchObject(expected)
  })

  test('error: CHAIN_UNAVAILABLE over the socket and by POST /quotes, and nothing is stored', async () => {
    const rfq = await openRfq(maker)
    await devnet.stop()
    const quote = await signed()
    expect(await submit(rfq, quote)).toMatchObject({ status: 'rejected', code: 'CHAIN_UNAVAILABLE' })
    const response = await post(quote)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await problemOf(response)).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(await (await fetch(`${server.api}/quotes`)).json()).toMatchObject({ quotes: [] })
  })
})
