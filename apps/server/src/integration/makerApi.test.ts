// Tests that a maker, and no other client, can read its own data over HTTP.

import { endpoints } from '@firmquote/core/endpoints'
import { formatReadAuthorization, readAuthTypedData } from '@firmquote/core/protocol'
import { decodeOrThrow, problemShape, quotePageShape } from '@firmquote/core/wire'
import { type DevnetAccount, quoteMarketAbi } from '@firmquote/devnet'
import { describe, expect, test } from '@jest/globals'
import { bytesToHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'

let server: RealServer
let first: DevnetAccount
let second: DevnetAccount
/** The first backer's data: a published quote, an accepted quote, and the public ID of its auction. */
let published: Hex
let quoted: Hex
let rfqId: string

useDevnet(async () => {
  server = await startRealServer(devnet, { durationMs: 4_000 })
  ;[first, second] = devnet.backers
  const answer = await post('/quotes', await signQuote(first, domainOf(devnet), createQuote(devnet, first)))
  published = ((await answer.json()) as { hash: Hex }).hash
  const lines = await Promise.all(
    [first, second].map(({ privateKey }) => connectBacker(server.wsUrl, privateKeyToAccount(privateKey))),
  )
  const [pool] = devnet.pools
  const request = { poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, notional: '2000000000' }
  const asked = post('/rfq/quote', request)
  for (const [index, line] of lines.entries()) {
    const maker = index === 0 ? first : second
    ;({ rfqId } = await line.next('rfq'))
    const terms = { notional: 2_000_000_000n, vrtAmount: BigInt(9_000_000 - index) }
    line.send({
      type: 'quote',
      rfqId,
      quote: await signQuote(maker, domainOf(devnet), createQuote(devnet, maker, terms)),
    })
    const ack = await line.next('quote_ack')
    if (index === 0 && 'hash' in ack) quoted = ack.hash
  }
  expect((await asked).status).toBe(200)
  await Promise.all(lines.map((line) => line.end()))
  return () => server.close()
})

const post = (path: string, body: unknown) =>
  fetch(`${server.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function authorizationOf(
  { address, privateKey }: DevnetAccount,
  audience = `ws://localhost:${server.port}/ws/rfq`,
): Promise<string> {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const auth = { backer: address, audience, nonce, timestamp: Math.floor(Date.now() / 1_000) }
  const typedData = readAuthTypedData({ ...auth, ...domainOf(devnet) })
  const signature = await privateKeyToAccount(privateKey).signTypedData(typedData)
  return formatReadAuthorization({ ...auth, signature })
}

const get = (path: string, authorization?: string) =>
  fetch(`${server.api}${path}`, authorization === undefined ? {} : { headers: { authorization } })

async function quotesOf(query = '', maker = first) {
  const answer = await get(`/maker/quotes${query}`, await authorizationOf(maker))
  expect(answer.status).toBe(200)
  return decodeOrThrow(quotePageShape, await answer.json(), 'quotes')
}

describe('GET /maker/quotes', () => {
  test('default: all quotes, newest first, with the auctions of unpublished quotes', async () => {
    const { quotes, nextCursor } = await quotesOf()
    expect(nextCursor).toBeNull()
    expect(quotes).toMatchObject([
      { hash: quoted, rfqId, status: 'active' },
      { hash: published, quote: { signature: expect.any(String) } },
    ])
    expect(quotes[0]?.quote).not.toHaveProperty('signature')
    expect(quotes[1]).not.toHaveProperty('rfqId')
    const shown = (await (await get(`/quotes/${quoted}`)).json()) as object
    expect(shown).not.toHaveProperty('rfqId')
    const others = await quotesOf('', second)
    expect(others.quotes).toMatchObject([{ quote: { maker: second.address }, rfqId }])
  })

  test('behavior: in pages, and by status after a quote is cancelled on-chain', async () => {
    const page = await quotesOf('?limit=1')
    expect(page.quotes.map(({ hash }) => hash)).toEqual([quoted])
    const rest = await quotesOf(`?limit=1&cursor=${page.nextCursor}`)
    expect(rest.quotes.map(({ hash }) => hash)).toEqual([published])
    expect(rest.nextCursor).toBeNull()

    const { signature: _, ...terms } = rest.quotes[0]?.quote ?? {}
    const hash = await devnet.walletClient(first).writeContract({
      address: devnet.contracts.quoteMarket,
      abi: quoteMarketAbi,
      functionName: 'cancelQuote',
      args: [terms as Parameters<typeof createQuote>[2] & Awaited<ReturnType<typeof createQuote>>],
    })
    await devnet.publicClient.waitForTransactionReceipt({ hash })
    await waitUntil(async () => (await quotesOf('?status=cancelled')).quotes.length > 0)
    expect((await quotesOf('?status=cancelled')).quotes).toMatchObject([
      { hash: published, status: 'cancelled', seenAt: { transactionHash: hash } },
    ])
    expect((await quotesOf('?status=active')).quotes.map((quote) => quote.hash)).toEqual([quoted])
  })
})

describe('GET /maker/outcomes', () => {
  test('default: the outcome of each auction for the maker', async () => {
    const { shape } = endpoints.getMakerOutcomes.answers[200]
    const [pool] = devnet.pools
    for (const [maker, outcome] of [
      [first, 'close'],
      [second, 'best'],
    ] as const) {
      const answer = await get('/maker/outcomes', await authorizationOf(maker))
      const { outcomes, nextCursor } = decodeOrThrow(shape, await answer.json(), 'outcomes')
      expect(nextCursor).toBeNull()
      const { expiry, seriesKey } = pool.series[1] ?? {}
      expect(outcomes).toEqual([
        {
          ...{ rfqId, poolId: pool.poolId, seriesKey, expiry, notional: 2_000_000_000n },
          ...{ closedAt: expect.any(Number), quoteCount: 2, outcome, hash: expect.any(String) },
        },
      ])
    }
    expect((await get('/maker/outcomes?cursor=x', await authorizationOf(first))).status).toBe(400)
  })
})

describe('without an authorization', () => {
  test.each(['/maker/quotes', '/maker/outcomes'])('error: GET %s', async (path) => {
    const forged = await authorizationOf(first, 'ws://other.example.com/ws/rfq')
    for (const [header, reason] of [
      [undefined, 'missing'],
      ['Bearer x', 'malformed'],
      [forged, 'bad_signature'],
    ] as const) {
      const answer = await get(path, header)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Backer')
      const text = await answer.text()
      expect(decodeOrThrow(problemShape, JSON.parse(text), 'problem')).toMatchObject({
        code: 'UNAUTHENTICATED',
        details: { reason },
      })
      if (header) expect(text).not.toContain(header.slice(-40))
    }
  })

  test('behavior: a page from another origin may send an authorization', async () => {
    const answer = await fetch(`${server.api}/maker/quotes`, { method: 'OPTIONS' })
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  test('behavior: authorizations are never logged', async () => {
    const secrets = [await authorizationOf(first), await authorizationOf(first, 'ws://other.example.com/ws/rfq')]
    const statuses = await Promise.all(secrets.map(async (secret) => (await get('/maker/quotes', secret)).status))
    expect(statuses).toEqual([200, 401])
    const text = JSON.stringify(server.logs)
    expect(text).toContain('/maker/quotes')
    expect(text).not.toMatch(/[0-9a-f]{130}/)
    for (const secret of secrets) expect(text).not.toContain(secret.split('.')[2])
  })
})
