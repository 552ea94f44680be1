import { parseReadAuthorization, readAuthTypedData } from '@firmquote/core/protocol'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { sendJson, sendProblem, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createWalletClient, custom, recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bytes, key, maker, publicRfqId, quoteHash, quoteMarket, signerConfig, wireStored } from '../../test/samples.ts'
import { ServiceClient } from '../serviceClient.ts'

type Answer = Parameters<typeof startHttpServer>[0]
type Server = Awaited<ReturnType<typeof startHttpServer>>

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const emptyPage: Answer = (_request, response) => sendJson(response, 200, { quotes: [], nextCursor: null })

async function start(answer: Answer = emptyPage) {
  const server = await startHttpServer(answer)
  closers.push(server.close)
  const clock = createFakeClock()
  const client = new ServiceClient({ orderbookUrl: server.url, quoteMarketAddress: quoteMarket }, { clock })
  client.setPrivateKey(key)
  return { server, client, clock }
}

const headersOf = ({ seen }: Server) => seen.map(({ headers }) => headers.authorization ?? '')
const audienceOf = ({ url }: Server) => `${url.replace('http', 'ws')}/ws/rfq`

/** Recovers a header's signer for an audience and this service's market. */
async function signerOf(header: string, audience: string) {
  const authorization = parseReadAuthorization(header)
  if (!authorization) throw new TypeError(`not an authorization: ${header}`)
  const { chainId, quoteMarketAddress } = signerConfig
  const typedData = readAuthTypedData({ ...authorization, audience, chainId, quoteMarket: quoteMarketAddress })
  return recoverTypedDataAddress({ ...typedData, signature: authorization.signature })
}

describe('getMakerQuotes', () => {
  test('default', async () => {
    const { server, client } = await start((_request, response) =>
      sendJson(response, 200, { quotes: [{ ...wireStored, rfqId: publicRfqId }], nextCursor: 'next' }),
    )
    const page = await client.getMakerQuotes({ status: 'filled', limit: 5, cursor: 'a' })
    expect(page).toMatchObject({ quotes: [{ hash: quoteHash, rfqId: publicRfqId }], nextCursor: 'next' })
    expect(server.seen[0]?.path).toBe('/api/v1/maker/quotes?status=filled&limit=5&cursor=a')
    expect(await signerOf(headersOf(server)[0] ?? '', audienceOf(server))).toBe(maker)
  })

  test('behavior: concurrent calls share one signature for an hour, then sign with a new nonce', async () => {
    const { server, client, clock } = await start()
    await Promise.all([client.getMakerQuotes(), client.getMakerQuotes()])
    clock.advance(3_300_000 - 1)
    await client.getMakerQuotes()
    const [first, ...same] = headersOf(server)
    expect(same).toEqual([first, first])
    clock.advance(1)
    await client.getMakerQuotes()
    const [early, late] = [first, headersOf(server)[3]].map((header) => parseReadAuthorization(header ?? ''))
    expect(late?.nonce).not.toBe(early?.nonce)
    expect((late?.timestamp ?? 0) - (early?.timestamp ?? 0)).toBe(3_300)
  })

  test('behavior: a new signer, a new audience or a clock set back causes a new signature', async () => {
    const { server, client, clock } = await start()
    await client.getMakerQuotes()
    await client.getMakerQuotes({}, { audience: 'wss://rfq.example.com/ws/rfq' })
    client.setPrivateKey(bytes('5'))
    await client.getMakerQuotes()
    clock.jump(-60_000)
    await client.getMakerQuotes()
    const headers = headersOf(server)
    expect(new Set(headers).size).toBe(4)
    expect(await signerOf(headers[1] ?? '', 'wss://rfq.example.com/ws/rfq')).toBe(maker)
    expect(await signerOf(headers[2] ?? '', audienceOf(server))).toBe(privateKeyToAccount(bytes('5')).address)
  })

  test('behavior: a rejected authorization is not sent again', async () => {
    const { server, client } = await start((_request, response, count) =>
      count === 1
        ? sendProblem(response, 401, 'UNAUTHENTICATED', { details: { reason: 'bad_signature' } })
        : sendJson(response, 200, { quotes: [], nextCursor: null }),
    )
    await expect(client.getMakerQuotes()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
    await client.getMakerQuotes()
    expect(new Set(headersOf(server)).size).toBe(2)
  })

  test('behavior: asks the wallet again after a rejection', async () => {
    const { server, client } = await start()
    let asked = 0
    const request = async () => {
      asked += 1
      if (asked === 1) throw new TypeError('refused')
      return `0x${'11'.repeat(64)}1b`
    }
    client.setAccount(maker, createWalletClient({ transport: custom({ request }, { retryCount: 0 }) }))
    await expect(client.getMakerQuotes()).rejects.toMatchObject({ code: 'SIGNING_FAILED' })
    await client.getMakerQuotes()
    expect(server.seen).toHaveLength(1)
  })

  test('error: signs and sends nothing without a signer or over an unencrypted remote connection', async () => {
    const unsigned = new ServiceClient({ orderbookUrl: 'http://localhost:1' })
    await expect(unsigned.getMakerQuotes()).rejects.toMatchObject({ code: 'SIGNER_MISSING' })
    const remote = new ServiceClient({ orderbookUrl: 'http://rfq.example.com' })
    remote.setPrivateKey(key)
    await expect(remote.getMakerQuotes()).rejects.toMatchObject({ code: 'AUDIENCE_MISMATCH' })
  })

  test('error: a redirect is not followed', async () => {
    const { server, client } = await start((_request, response) => {
      response.writeHead(308, { location: '/elsewhere' }).end()
    })
    await expect(client.getMakerQuotes()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(server.seen).toHaveLength(1)
  })
})

test('getMakerOutcomes: default', async () => {
  const outcome = {
    ...{ rfqId: publicRfqId, poolId: bytes('2'), seriesKey: bytes('3'), expiry: 1_798_761_600, notional: '5' },
    ...{ closedAt: 1, quoteCount: 2, outcome: 'close', hash: quoteHash },
  }
  const { server, client } = await start((_request, response) =>
    sendJson(response, 200, { outcomes: [outcome], nextCursor: null }),
  )
  expect(await client.getMakerOutcomes({ limit: 1 })).toEqual({
    outcomes: [{ ...outcome, notional: 5n }],
    nextCursor: null,
  })
  expect(server.seen[0]?.path).toBe('/api/v1/maker/outcomes?limit=1')
  expect(await signerOf(headersOf(server)[0] ?? '', audienceOf(server))).toBe(maker)
})
