// Tests makers' status updates end to end, from a transaction on a real chain to a message on a real socket.

import { hashQuote, type QuoteStatusMessage, type SignedQuote, serializeSignedQuote } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/devnet'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../test/chainDriver.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { signedQuote } from '../../test/realService.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'

let server: RealServer
let chain: ReturnType<typeof createChainDriver>
/** Offset between the server's monotonic clock and the machine's clock, in milliseconds. */
const later = 0
const open: { end(): Promise<void> }[] = []

useDevnet(async () => {
  chain = createChainDriver(devnet)
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + later }
  server = await startRealServer(devnet, { clock })
  return () => server.close()
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.end()
})

const accountOf = (index: 0 | 1): PrivateKeyAccount => privateKeyToAccount(devnet.backers[index].privateKey)

async function connect(index: 0 | 1 = 0) {
  const client = await connectBacker(server.wsUrl, accountOf(index))
  open.push(client)
  return client
}

async function publish(quote: SignedQuote): Promise<void> {
  const response = await fetch(`${server.api}/quotes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(serializeSignedQuote(quote)),
  })
  expect(response.status).toBe(201)
}

async function publishNew(index: 0 | 1 = 0) {
  const nonce = await devnet.publicClient.readContract({
    address: devnet.contracts.quoteMarket,
    abi: quoteMarketAbi,
    functionName: 'nonces',
    args: [devnet.backers[index].address],
  })
  const quote = await signedQuote(devnet, devnet.backers[index], { nonce })
  await publish(quote)
  return { quote, hash: hashQuote(quote, domainOf(devnet)) }
}

/** Receives all updates after a sequence number, then the end marker. */
async function resume(client: Awaited<ReturnType<typeof connect>>, seq: number) {
  client.send({ type: 'resume', id: 'r', seq })
  const told: QuoteStatusMessage[] = []
  client.socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type === 'quote_status') told.push(message)
  })
  const resumed = await client.next('resumed')
  return { resumed, told }
}

describe('quote_status', () => {
  test('default: a fill is sent to its maker only, with its details', async () => {
    const [maker, another] = [await connect(0), await connect(1)]
    const { session } = maker
    const { quote, hash } = await publishNew()
    await chain.take(devnet.borrowers[0], quote)
    const minedAt = performance.now()
    const told = await maker.next('quote_status')
    expect(performance.now() - minedAt).toBeLessThan(1_000)
    expect(told).toEqual({
      type: 'quote_status',
      seq: (session.statusSeq ?? 0) + 1,
      hash,
      status: 'filled',
      final: false,
      block: await chain.height(),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      taker: devnet.borrowers[0].address,
      notional: String(quote.notional),
      cost: String(quote.vrtAmount),
      positionId: expect.stringMatching(/^[1-9][0-9]*$/),
    })
    const position = await devnet.publicClient.readContract({
      address: devnet.contracts.interestRatePool,
      abi: interestRatePoolAbi,
      functionName: 'positions',
      args: [BigInt(String(told.positionId))],
    })
    const { maker: backer, notional } = quote
    expect(position).toEqual(expect.arrayContaining([backer, devnet.borrowers[0].address, notional]))
    const heard: string[] = []
    another.socket.on('message', (data) => void heard.push(JSON.parse(String(data)).type))
    another.send({ type: 'ping' })
    await another.next('pong')
    expect(heard).toEqual(['pong'])
  })
})

describe('resume', () => {
  test('default: sends missed updates in order, then the end marker', async () => {
    const first = await connect()
    const seq = first.session.statusSeq ?? 0
    await first.end()
    const { quote, hash } = await publishNew()
    await chain.take(devnet.borrowers[0], quote)
    // The service writes updates even if the maker is not connected.
    const witness = await connect()
    // Polls slowly enough to stay within the connection's message limit.
    while ((await resume(witness, seq)).resumed.seq === seq) await new Promise((resolve) => setTimeout(resolve, 50))
    const again = await connect()
    expect(again.session.statusSeq).toBe(seq + 1)
    const { resumed, told } = await resume(again, seq)
    expect(told).toMatchObject([{ seq: seq + 1, hash, status: 'filled' }])
    expect(resumed).toEqual({ type: 'resumed', id: 'r', seq: seq + 1, oldest: 1 })
    const all = await resume(again, 0)
    expect(all.told.map((status) => status.seq)).toEqual(Array.from({ length: seq + 1 }, (_, index) => index + 1))
    const ahead = await resume(again, seq + 100)
    expect(ahead).toMatchObject({ told: [], resumed: { seq: seq + 1 } })
  })

  test("behavior: a maker cannot resume another maker's updates", async () => {
    const own = await connect(0)
    const seq = own.session.statusSeq ?? 0
    const { quote, hash } = await publishNew()
    await chain.take(devnet.borrowers[0], quote)
    await own.next('quote_status')
    const other = await connect(1)
    for (const from of [0, seq, seq + 1]) {
      const { resumed, told } = await resume(other, from)
      expect(resumed.seq).toBe(other.session.statusSeq)
      expect(told.map((status) => status.hash)).not.toContain(hash)
    }
  })

  test.each([-1, 1.5, '1', null, 2 ** 53])('error: seq %j', async (seq) => {
    const maker = await connect()
    maker.send({ type: 'resume', id: 'x', seq })
    expect(await maker.next('error')).toMatchObject({ id: 'x', code: 'INVALID_REQUEST' })
  })
})

describe('GET /quotes with a status', () => {
  const list = async (query: string) => {
    const response = await fetch(`${server.api}/quotes?${query}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test("default: the outcomes of a maker's published quotes", async () => {
    const maker = await connect()
    const [taken, open] = [await publishNew(), await publishNew()]
    await chain.take(devnet.borrowers[0], taken.quote)
    const told = await maker.next('quote_status')
    const { address } = maker.session
    const filled = await list(`maker=${address}&status=filled&limit=100`)
    expect(filled.body['quotes']).toContainEqual({
      hash: taken.hash,
      quote: JSON.parse(JSON.stringify(serializeSignedQuote(taken.quote))),
      ...{ apr: expect.any(Number), effectiveApy: expect.any(Number) },
      createdAt: expect.any(Number),
      status: 'filled',
      seenAt: {
        blockNumber: String(told.block),
        blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        transactionHash: told.transactionHash,
      },
    })
    const hashes = async (query: string) =>
      ((await list(query)).body['quotes'] as { hash: string }[]).map(({ hash }) => hash)
    expect(await hashes(`maker=${address}&status=filled`)).not.toContain(open.hash)
    expect(await hashes(`maker=${address}&status=all`)).toEqual(expect.arrayContaining([taken.hash, open.hash]))
    expect(await hashes(`maker=${address}&status=active`)).toEqual(await hashes(`maker=${address}`))
    expect(await hashes(`maker=${address}`)).toContain(open.hash)
  })

  test.each([
    ['status=filled', 'maker'],
    [`maker=0x${'11'.repeat(20)}&status=all&sort=rate`, 'sort'],
    [`maker=0x${'11'.repeat(20)}&status=expired&minNotional=1`, 'minNotional'],
    [`maker=0x${'11'.repeat(20)}&status=gone`, 'status'],
    [`maker=0x${'11'.repeat(20)}&status=all&cursor=x`, 'cursor'],
  ])('error: %s', async (query, path) => {
    const { status, body } = await list(query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(JSON.stringify(body)).toContain(path)
  })
})
