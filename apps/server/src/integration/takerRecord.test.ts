// Tests a borrower's record end to end: from the proof and the chain to the makers' sockets.

import { takerAuthTypedData } from '@firmquote/core/protocol'
import type { DevnetAccount } from '@firmquote/devnet'
import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../test/chainDriver.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { signedQuote } from '../../test/realService.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'

let server: RealServer
/** One maker has exactly an RFQ's minimum funds, and the other one raw unit less. */
let rich: DevnetAccount
let poor: DevnetAccount
const notional = 2_000_000_000n
const minNotional = 1_000_000_000n

useDevnet(async () => {
  ;[rich, poor] = devnet.backers
  const { approve } = createChainDriver(devnet)
  await approve(rich, minNotional)
  await approve(poor, minNotional - 1n)
  server = await startRealServer(devnet, { durationMs: 15_000 })
  return () => server.close()
})

async function proofOf({ address, privateKey }: DevnetAccount, shareRecord = false) {
  const config = (await (await fetch(`${server.api}/config`)).json()) as { takerAudience: string }
  const timestamp = Math.floor(Date.now() / 1_000)
  const auth = { ...domainOf(devnet), taker: address, audience: config.takerAudience, timestamp, shareRecord }
  const signature = await privateKeyToAccount(privateKey).signTypedData(takerAuthTypedData(auth))
  return { taker: address, takerProof: { timestamp, signature }, shareRecord }
}

/** Opens an auction and closes the stream after its first event. */
async function ask(request: object): Promise<{ takerRecord?: object }> {
  const [{ poolId, series }] = devnet.pools
  const response = await fetch(`${server.api}/rfq/quote/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ poolId, seriesKey: series[1]?.seriesKey, notional: String(notional), minNotional: String(minNotional) },
      ...request,
    }),
  })
  expect(response.status).toBe(200)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (data === undefined) continue
    return JSON.parse(data)
  }
  throw new TypeError('The stream ended before its first event.')
}

const connect = ({ privateKey }: DevnetAccount) => connectBacker(server.wsUrl, privateKeyToAccount(privateKey))

describe('a borrower that shares its record', () => {
  test("default: makers with funds receive the taker's debt, RFQs and fills, others only the RFQ", async () => {
    const [borrower] = devnet.borrowers
    const able = await connect(rich)
    const unable = await connect(poor)
    const proof = await proofOf(borrower, true)
    const { takerRecord } = await ask(proof)
    expect(takerRecord).toEqual({ unfixedDebt: expect.stringMatching(/^[125]0+$/), asked: 0, taken: 0 })
    // The service first reads funds a second after the first maker connects. Until then, the maker receives the same as
    // unfunded makers.
    await waitUntil(async () => {
      const again = await connect(rich)
      await again.end()
      return again.session.openRfqs[0]?.takerRecord !== undefined
    })
    await Promise.all([able.next('rfq'), unable.next('rfq')])

    await fill(borrower)
    await ask(proof)
    const [told, plain] = [await able.next('rfq'), await unable.next('rfq')]
    expect(told.takerRecord).toEqual({ ...takerRecord, asked: 1, taken: 1 })
    expect(plain).toMatchObject({ rfqId: told.rfqId, taker: borrower.address, takerVerified: true })
    expect(plain).not.toHaveProperty('takerRecord')

    await ask(await proofOf(borrower))
    await ask({ taker: borrower.address, shareRecord: true })
    for (const takerVerified of [true, false]) {
      for (const line of [able, unable]) {
        const rfq = await line.next('rfq')
        expect(rfq.takerVerified).toBe(takerVerified)
        expect(rfq).not.toHaveProperty('takerRecord')
      }
    }
    await Promise.all([able.end(), unable.end()])
  })
})

/** Takes a quote from an otherwise uninvolved maker, and waits until the server has synced the fill. */
async function fill(borrower: DevnetAccount): Promise<void> {
  const quote = await signedQuote(devnet, devnet.backers[2], { notional: minNotional, vrtAmount: 0n })
  await createChainDriver(devnet).take(borrower, quote)
  await waitUntil(async () => {
    const answer = await fetch(`${server.api}/positions/all?address=${borrower.address}`)
    return ((await answer.json()) as { positions: unknown[] }).positions.length > 0
  })
}
