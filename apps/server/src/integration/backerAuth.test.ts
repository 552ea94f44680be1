import { serializeSignedQuote } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { deployContractMaker } from '../../test/contractMakers.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { answerChallenge, connectBacker, openSocket } from '../../test/socketClient.ts'

const audience = 'wss://rfq.example.com/ws/rfq'
let server: RealServer
let account: PrivateKeyAccount

useDevnet(async () => {
  account = privateKeyToAccount(devnet.backers[0].privateKey)
  server = await startRealServer(devnet, { audience, limits: { contractCheckMs: 500 } })
  return () => server.close()
})

async function challenged() {
  const client = openSocket(server.wsUrl)
  return { client, challenge: await client.next('auth_challenge') }
}

async function expectRefusal(client: ReturnType<typeof openSocket>, code: number, reason: string) {
  expect(await client.next('auth_failed')).toEqual({
    type: 'auth_failed',
    code: reason,
    message: expect.any(String),
    serverTime: expect.any(Number),
  })
  expect(await client.closed).toEqual({ code, reason })
}

test('default: a valid answer opens a session', async () => {
  const { session, end } = await connectBacker(server.wsUrl, account)
  expect(session).toMatchObject({ address: account.address, openRfqs: [] })
  await end()
})

describe('answers to a different challenge', () => {
  test('error: an answer that was valid on another socket is refused', async () => {
    const first = await challenged()
    const answer = await answerChallenge(first.challenge, account)
    first.client.send(answer)
    await first.client.next('authenticated')

    const second = await challenged()
    second.client.send(answer)
    await expectRefusal(second.client, 4401, 'bad_signature')

    // The server refuses the response even on its own socket, because its only attempt has been used.
    first.client.send(answer)
    expect(await first.client.next('error')).toMatchObject({ code: 'INVALID_REQUEST' })
    await first.client.end()
  })

  test('error: a challenge relayed from another server is refused', async () => {
    const other = await startRealServer(devnet, { audience: 'wss://other.example.com/ws/rfq' })
    const theirs = openSocket(other.wsUrl)
    const { client } = await challenged()
    client.send(await answerChallenge(await theirs.next('auth_challenge'), account))
    await expectRefusal(client, 4401, 'bad_signature')
    await theirs.end()
    await other.close()
  })
})

describe('a maker that is a contract', () => {
  test('default: quotes in an auction, and is disconnected after its contract revokes the signature', async () => {
    const maker = await deployContractMaker(devnet, devnet.backers[2])
    const owner = privateKeyToAccount(maker.owner.privateKey)
    const answer = async (challenge: Parameters<typeof answerChallenge>[0]) =>
      answerChallenge(challenge, owner, { backer: maker.address, address: maker.address })
    const { client, challenge } = await challenged()
    client.send(await answer(challenge))
    expect(await client.next('authenticated')).toMatchObject({ address: maker.address })

    const quote = await maker.quote()
    const body = JSON.stringify({ poolId: quote.poolId, seriesKey: quote.seriesKey, notional: '5000000000' })
    const headers = { 'content-type': 'application/json' }
    const asked = fetch(`${server.api}/rfq/quote`, { method: 'POST', headers, body })
    const { rfqId } = await client.next('rfq')
    client.send({ type: 'quote', rfqId, quote: serializeSignedQuote(quote) })
    expect(await client.next('quote_ack')).toMatchObject({ status: 'accepted' })
    const result = (await (await asked).json()) as { rfqId: string; quotes: unknown[] }
    expect(result.quotes).toMatchObject([{ quote: { maker: maker.address }, unproven: true }])
    const kept = await (await fetch(`${server.api}/rfq/${result.rfqId}`)).json()
    expect(kept).toEqual(result)

    await maker.behave('burns gas')
    expect(await client.closed).toEqual({ code: 4401, reason: 'signature_withdrawn' })
    const again = await challenged()
    again.client.send(await answer(again.challenge))
    await expectRefusal(again.client, 4401, 'bad_signature')
  })
})

describe('an allow list', () => {
  test('error: an address that is not on it closes 4403; with a bad signature it closes 4401', async () => {
    const allowList = new Set([account.address.toLowerCase()])
    const listed = await startRealServer(devnet, { audience, allowList })
    const unlisted = privateKeyToAccount(devnet.backers[1].privateKey)

    const refused = openSocket(listed.wsUrl)
    refused.send(await answerChallenge(await refused.next('auth_challenge'), unlisted))
    await expectRefusal(refused, 4403, 'not_allowed')

    const forged = openSocket(listed.wsUrl)
    forged.send(await answerChallenge(await forged.next('auth_challenge'), unlisted, { nonce: `0x${'11'.repeat(32)}` }))
    await expectRefusal(forged, 4401, 'bad_signature')

    const { end } = await connectBacker(listed.wsUrl, account)
    await end()
    await listed.close()
  })

  test('behavior: the operator admits another address, and takes that back, which ends its session', async () => {
    const listed = await startRealServer(devnet, { audience, allowList: new Set([account.address.toLowerCase()]) })
    const { admin } = listed.service
    const unlisted = privateKeyToAccount(devnet.backers[1].privateKey)
    const given = { maker: unlisted.address, who: 'ops' }
    await admin['makers.allow']?.(given)
    const [admitted, other] = [await connectBacker(listed.wsUrl, unlisted), await connectBacker(listed.wsUrl, account)]
    await admin['makers.disallow']?.(given)
    await expectRefusal(admitted, 4403, 'not_allowed')
    await other.end()
    await listed.close()
  })
})
