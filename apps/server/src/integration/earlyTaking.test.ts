// A borrower takes a quote while its auction is still open, on a real chain.

import type { RFQRequest } from '@firmquote/core'
import { takerAuthTypedData } from '@firmquote/core/protocol'
import { encodeJson } from '@firmquote/core/utils'
import { decodeOrThrow, rfqResultShape, rfqStartedShape, rfqSummaryShape } from '@firmquote/core/wire'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainDriver } from '../../test/chainDriver.ts'
import { readStream } from '../../test/readStream.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { signedQuote } from '../../test/realService.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'

let devnet: Devnet
let server: RealServer
beforeAll(async () => {
  devnet = await startDevnet()
  server = await startRealServer(devnet, { durationMs: 5_000 })
})
afterAll(async () => {
  await server?.close()
  await devnet?.stop()
})

const token = 10n ** 6n
/** The borrower's debt in the first pool. */
const debt = 3_000_000n * token

async function proofOf({ address, privateKey }: Devnet['borrowers'][number]) {
  const { takerAudience: audience } = (await (await fetch(`${server.api}/config`)).json()) as { takerAudience: string }
  const timestamp = Math.floor(Date.now() / 1_000)
  const auth = { ...domainOf(devnet), taker: address, audience, timestamp }
  const signature = await privateKeyToAccount(privateKey).signTypedData(takerAuthTypedData(auth))
  return { taker: address, takerProof: { timestamp, signature } }
}

const open = (request: Partial<RFQRequest>) =>
  fetch(`${server.api}/rfq/quote/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: encodeJson({
      ...{ poolId: devnet.pools[0].poolId, seriesKey: devnet.pools[0].series[1]?.seriesKey, minNotional: token },
      ...request,
    }),
  })

test('behavior: a quote taken before the close stays in the result, and no longer reserves debt', async () => {
  const [borrower] = devnet.borrowers
  const [early, late] = devnet.backers
  const proof = await proofOf(borrower)
  const makers = await Promise.all(
    [early, late].map(({ privateKey }) => connectBacker(server.wsUrl, privateKeyToAccount(privateKey))),
  )
  const quotes = await Promise.all(
    [early, late].map((maker, place) => signedQuote(devnet, maker, { vrtAmount: (5n + BigInt(place)) * token })),
  )
  const [opened] = await readStream(await open({ ...proof, notional: 2_000_000n * token }), () => true)
  const { rfqId, takerVerified } = decodeOrThrow(rfqStartedShape, opened?.data, 'started')
  expect(takerVerified).toBe(true)
  const followed = readStream(await fetch(`${server.api}/rfq/${rfqId}/stream`), ({ event }) => event === 'done')
  const hashes: string[] = []
  for (const [place, maker] of makers.entries()) {
    const { rfqId: publicId } = await maker.next('rfq')
    maker.send(encodeJson({ type: 'quote', rfqId: publicId, quote: quotes[place] }))
    const ack = await maker.next('quote_ack')
    expect(ack).toMatchObject({ status: 'accepted' })
    if (ack.status === 'accepted') hashes.push(ack.hash)
  }

  const [taken] = quotes
  if (!taken) throw new TypeError('There is no quote.')
  expect(await createChainDriver(devnet).take(borrower, taken)).toMatchObject({ status: '0x1' })
  const read = async () =>
    decodeOrThrow(rfqResultShape, await (await fetch(`${server.api}/rfq/${rfqId}`)).json(), 'result')
  const statuses = async () => (await read()).quotes.map(({ hash, status }) => [hash, status])
  const expected = [
    [hashes[0], 'filled'],
    [hashes[1], undefined],
  ]
  await waitUntil(async () => (await read()).quotes[0]?.status === 'filled')
  expect([(await read()).status, await statuses()]).toEqual(['open', expected])

  // Until the close, the service reveals nothing of the quote to others.
  expect((await fetch(`${server.api}/quotes/${hashes[0]}`)).status).toBe(404)
  for (const list of ['quotes', 'rfq/quotes/recent', `quotes?maker=${early?.address}&status=filled`]) {
    expect(await (await fetch(`${server.api}/${list}`)).text()).not.toContain(hashes[0])
  }

  // With the whole first RFQ reserved in addition to the fixed part, this RFQ would exceed the debt.
  const rest = await open({ ...proof, notional: debt - 2_000_000n * token })
  const [restOpened] = await readStream(rest, () => true)
  expect(restOpened?.data).toMatchObject({ takerVerified: true })

  const done = decodeOrThrow(rfqSummaryShape, (await followed).at(-1)?.data, 'done')
  expect(done).toMatchObject({ quoteCount: 2, ranking: hashes, best: { hashes } })
  expect([(await read()).status, await statuses()]).toEqual(['closed', expected])
  for (const [place, outcome] of ['best', 'close'].entries()) {
    expect(await makers[place]?.next('auction_result')).toMatchObject({ own: { hash: hashes[place] }, outcome })
    await makers[place]?.end()
  }
})
