// Receipts over real sockets and streams, and what the log later shows of them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashQuote, quoteTypedData, type Receipt, type ServerMessage, type SignedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { decodeOrThrow, rfqStartedShape, rfqSummaryShape, serverMessageShape } from '@firmquote/core/wire'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import {
  type AuctionProof,
  acceptedLeaf,
  closeEntry,
  createHashReader,
  decodeRecord,
  formatLogProof,
  formatProof,
  hashSalted,
  openEntry,
  type ProvenEntry,
  parseProof,
  recoverReceipt,
  refusedLeaf,
  verifyProof,
} from '@firmquote/verify'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bytesToHex, type Hex } from 'viem'
import { privateKeyToAccount, setSignEntropy } from 'viem/accounts'
import { readStream } from '../../test/readStream.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { signedQuote } from '../../test/realService.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'

let devnet: Devnet
let server: RealServer
let dataDir: string
const durationMs = 3_000
const start = async () => {
  server = await startRealServer(devnet, {
    ...{ durationMs, serviceLimits: { socketsPerBacker: 10 } },
    ...{ file: join(dataDir, 'firmquote.db'), proofKeyFile: join(dataDir, 'proof.key') },
  })
}
beforeAll(async () => {
  devnet = await startDevnet()
  dataDir = mkdtempSync(join(tmpdir(), 'firmquote-receipts-'))
  await start()
})
afterAll(async () => {
  await server?.close()
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const accountOf = ({ privateKey }: DevnetAccount) => privateKeyToAccount(privateKey)
const connect = async (maker: DevnetAccount, query = '?receipts=1') => {
  const client = await connectBacker(`${server.wsUrl}${query}`, accountOf(maker))
  const received: string[] = []
  client.socket.on('message', (data) => {
    const message = decodeOrThrow(serverMessageShape, JSON.parse(String(data)), 'message')
    received.push(message.type)
  })
  return { ...client, received }
}
type Client = Awaited<ReturnType<typeof connect>>

const [token, order] = [10n ** 6n, 'application/json']
/** Opens an auction and follows it. */
async function open(query = '', changes: object = {}) {
  const [pool] = devnet.pools
  const body = { poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, notional: `${1_000n * token}` }
  const response = await fetch(`${server.api}/rfq/quote/stream${query}`, {
    ...{
      method: 'POST',
      headers: { 'content-type': order },
      body: encodeJson({ ...body, minNotional: '1', ...changes }),
    },
  })
  const events = readStream(response, ({ event }) => event === 'done')
  // A test that does not read them may end before the auction, and so may the server.
  events.catch(() => {})
  return { events }
}

async function submit(client: Client, rfqId: string, quote: SignedQuote) {
  client.send(encodeJson({ type: 'quote', rfqId, quote }))
  return client.next('quote_ack')
}

async function receiptOf(client: Client, rfqId: string, quote: SignedQuote) {
  const ack = await submit(client, rfqId, quote)
  const { type: _, ...message } = await client.next('receipt')
  return { ack, ...message }
}

const recordOf = ({ leaf }: Receipt) => Buffer.from(leaf, 'base64')
const acceptedOf = (receipt: Receipt) => decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, recordOf(receipt))
const refusedOf = (receipt: Receipt) => decodeRecord(refusedLeaf.kind, refusedLeaf.layout, recordOf(receipt))

const leavesOf = async (rfqId: string) =>
  (await (await fetch(`${server.api}/log/auctions/${rfqId}`)).json()) as { close: number | null; hashes: string[] }

/** The text of a proof that the service gives once a checkpoint has the auction's close. */
async function proofText(path: string, headers: Record<string, string> = {}): Promise<string> {
  let text = ''
  await waitUntil(async () => {
    const response = await fetch(`${server.api}${path}`, { headers })
    text = await response.text()
    return response.status === 200
  })
  return text
}

/** Proves an entry by the newest checkpoint. */
async function prove(position: number): Promise<ProvenEntry> {
  const { proofs } = server.service
  const checkpoint = proofs?.log.newest()
  if (!proofs || !checkpoint) throw new TypeError('There is no checkpoint.')
  const { size, note } = checkpoint
  const hashes = createHashReader(size, async ({ level, index, width }) =>
    ((await proofs.store.findTile(1, Number(level), index)) ?? new Uint8Array()).subarray(0, width * 32),
  )
  const [entry = new Uint8Array()] = await proofs.store.listEntries(1, position, position + 1)
  const path = await hashes.inclusionPath(position, size)
  const proof = formatLogProof({ index: position, path, checkpoint: note })
  return { record: Buffer.from(entry).toString('base64'), proof }
}

describe('receipts', () => {
  test("default: a receipt follows the ack, its signer is the log's, and its leaf is the transcript's", async () => {
    const [maker] = devnet.backers
    const client = await connect(maker)
    const { events } = await open()
    const { rfqId } = await client.next('rfq')
    const quote = await signedQuote(devnet, maker)
    const { ack, hash, receipt, rfqId: named } = await receiptOf(client, rfqId, quote)
    expect(client.received.filter((type) => type !== 'rfq')).toEqual(['quote_ack', 'receipt'])
    if (ack.status !== 'accepted') throw new TypeError(ack.code)
    expect([named, hash]).toEqual([rfqId, ack.hash])
    const { proofs } = (await (await fetch(`${server.api}/config`)).json()) as {
      proofs: { origin: string; key: string; signers: Hex[] }
    }
    const { signer } = await recoverReceipt(receipt)
    expect([signer.toLowerCase(), receipt.log]).toEqual([proofs.signers[0], proofs.origin])
    expect(receipt.mergeBy).toBe(Math.ceil(ack.closesAt / 1_000) + 60)
    const promised = acceptedOf(receipt)
    expect(promised).toMatchObject({
      ...{ publicRfqId: `0x${rfqId}`, hash, maker: maker.address.toLowerCase() },
      ...{ receivedAt: BigInt(ack.receivedAt), seq: 1 },
    })

    const { rfqId: secret } = decodeOrThrow(rfqStartedShape, (await events)[0]?.data, 'started')
    const file = parseProof(await proofText(`/rfq/${secret}/proof`)) as AuctionProof
    const opening = file.leaves[promised.seq]
    if (!opening) throw new TypeError('The transcript has no such leaf.')
    const [salt, record] = [Buffer.from(opening.salt, 'base64'), Buffer.from(opening.record, 'base64')]
    expect(bytesToHex(hashSalted(salt, record))).toBe(promised.leaf)

    const { hashes } = await leavesOf(rfqId)
    expect(hashes).toHaveLength(3)
    const key = await prove(0)
    const claimed = async (others: string[]) =>
      verifyProof(formatProof({ type: 'omission', keys: file.keys, key, receipt, close: file.close, hashes: others }))
    expect(await claimed(hashes)).toMatchObject({ isValid: false, reason: expect.stringMatching(/quote|leaf/) })
    expect(await claimed(hashes.filter((_, index) => index !== 1))).toMatchObject({ isValid: false })
    await client.end()
  })

  test('behavior: the same quote, sent again, has the same leaf: while open, after the close and after a restart', async () => {
    const [, maker] = devnet.backers
    let client = await connect(maker)
    const { events } = await open()
    const { rfqId } = await client.next('rfq')
    const quote = await signedQuote(devnet, maker)
    const { receipt } = await receiptOf(client, rfqId, quote)
    const leafAgain = async () => (await receiptOf(client, rfqId, quote)).receipt.leaf
    expect(await leafAgain()).toBe(receipt.leaf)
    await server.close()
    await events.catch(() => {})
    await start()
    client = await connect(maker)
    expect(await leafAgain()).toBe(receipt.leaf)
    await waitUntil(async () => (await leavesOf(rfqId)).close !== null)
    expect(await leafAgain()).toBe(receipt.leaf)
    await client.end()
  })

  test('behavior: a quote keeps its first signature, and the receipt has the one in the transcript', async () => {
    const [, , maker] = devnet.backers
    const client = await connect(maker)
    const quote = await signedQuote(devnet, maker)
    setSignEntropy(true)
    const signature = await accountOf(maker).signTypedData(quoteTypedData(quote, domainOf(devnet)))
    expect(signature).not.toBe(quote.signature)
    await open()
    const first = await client.next('rfq')
    await receiptOf(client, first.rfqId, quote)
    const { events } = await open()
    const second = await client.next('rfq')
    const promised = acceptedOf((await receiptOf(client, second.rfqId, { ...quote, signature })).receipt)
    const { rfqId: secret } = decodeOrThrow(rfqStartedShape, (await events)[0]?.data, 'started')
    await proofText(`/rfq/${secret}/proof`)
    const { hashes } = await leavesOf(second.rfqId)
    expect(hashes[1]).toBe(Buffer.from(promised.leaf.slice(2), 'hex').toString('base64'))
    await client.end()
  })

  test('behavior: a refusal has its code, and the block at which the chain was read', async () => {
    const [maker] = devnet.backers
    const client = await connect(maker)
    await open()
    const { rfqId } = await client.next('rfq')
    const stale = await signedQuote(devnet, maker, { nonce: 9n })
    const byChain = await receiptOf(client, rfqId, stale)
    const refused = refusedOf(byChain.receipt)
    expect(refused).toMatchObject({ code: 'NONCE_MISMATCH', hash: hashQuote(stale, domainOf(devnet)) })
    const block = await devnet.publicClient.getBlock({ blockNumber: refused.blockNumber })
    expect(refused.blockHash).toBe(block.hash)
    const large = await signedQuote(devnet, maker, { notional: 2_000n * token })
    const byTerms = refusedOf((await receiptOf(client, rfqId, large)).receipt)
    expect(byTerms).toMatchObject({ code: 'NOTIONAL_TOO_LARGE', blockNumber: 0n, blockHash: `0x${'00'.repeat(32)}` })
    await receiptOf(client, rfqId, large)

    // A fourth attempt has no receipt: the next one is the answer to another message.
    expect(await submit(client, rfqId, large)).toMatchObject({ code: 'ALREADY_QUOTED' })
    const unknown = await receiptOf(client, 'ab'.repeat(16), large)
    expect(refusedOf(unknown.receipt)).toMatchObject({ code: 'RFQ_NOT_FOUND' })
    await client.end()
  })

  test('behavior: a session that did not ask gets none', async () => {
    const [asking, other] = devnet.backers
    const [client, silent] = [await connect(asking), await connect(other, '')]
    await open()
    const { rfqId } = await client.next('rfq')
    expect(await submit(silent, rfqId, await signedQuote(devnet, other))).toMatchObject({ status: 'accepted' })
    await receiptOf(client, rfqId, await signedQuote(devnet, asking))
    silent.send({ type: 'ping' })
    await silent.next('pong')
    expect(silent.received.filter((type) => type !== 'rfq')).toEqual(['quote_ack', 'pong'])
    await Promise.all([client.end(), silent.end()])
  })

  test("behavior: a borrower's receipts are of the log's entries, and the opening shows the terms", async () => {
    const [maker] = devnet.backers
    const client = await connect(maker)
    const { events } = await open('?receipts=1')
    const { rfqId } = await client.next('rfq')
    await receiptOf(client, rfqId, await signedQuote(devnet, maker))
    const all = await events
    expect(all.map(({ event }) => event).filter((event) => event !== 'progress')).toEqual(['started', 'quote', 'done'])
    const started = decodeOrThrow(rfqStartedShape, all[0]?.data, 'started')
    const done = decodeOrThrow(rfqSummaryShape, all.at(-1)?.data, 'done')
    if (!started.receipt || !started.opening || !done.receipt) throw new TypeError('There are no receipts.')
    const [signer] = server.service.proofs?.config.signers ?? []
    for (const receipt of [started.receipt, done.receipt])
      expect((await recoverReceipt(receipt)).signer.toLowerCase()).toBe(signer)
    const file = parseProof(await proofText(`/rfq/${started.rfqId}/proof`)) as AuctionProof
    expect([started.receipt.leaf, done.receipt.leaf]).toEqual([file.open.record, file.close.record])
    expect(started.opening).toEqual(file.leaves[0])
    const opened = decodeRecord(openEntry.kind, openEntry.layout, Buffer.from(started.receipt.leaf, 'base64'))
    const [salt, record] = [Buffer.from(started.opening.salt, 'base64'), Buffer.from(started.opening.record, 'base64')]
    expect(opened).toMatchObject({ openLeaf: bytesToHex(hashSalted(salt, record)) })
    const closed = decodeRecord(closeEntry.kind, closeEntry.layout, Buffer.from(done.receipt.leaf, 'base64'))
    expect(closed).toMatchObject({ publicRfqId: `0x${rfqId}`, count: 3, closedAt: BigInt(done.closedAt) })

    const follow = async (query: string, headers: Record<string, string> = {}) =>
      readStream(
        await fetch(`${server.api}/rfq/${started.rfqId}/stream${query}`, { headers }),
        (e) => e.event === 'done',
      )
    const [resumed] = (await follow('?receipts=1', { 'last-event-id': `${started.rfqId}:1` })).map(({ data }) => data)
    expect(decodeOrThrow(rfqSummaryShape, resumed, 'done').receipt?.leaf).toBe(done.receipt.leaf)
    for (const { data } of await follow('')) expect(data).not.toHaveProperty('receipt')
    await client.end()
  })

  test('error: an unknown value of the query is refused', async () => {
    const response = await fetch(`${server.api}/rfq/${'ab'.repeat(16)}/stream?receipts=2`)
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ path: 'receipts' }] }])
  })
})

test('behavior: without a log, nobody gets receipts', async () => {
  const off = await startRealServer(devnet, { durationMs })
  try {
    const [maker] = devnet.backers
    const client = await connectBacker(`${off.wsUrl}?receipts=1`, accountOf(maker))
    const types: ServerMessage['type'][] = []
    client.socket.on('message', (data) => types.push(JSON.parse(String(data)).type))
    const [pool] = devnet.pools
    const body = encodeJson({
      poolId: pool.poolId,
      seriesKey: pool.series[1]?.seriesKey,
      notional: `${1_000n * token}`,
    })
    const response = await fetch(`${off.api}/rfq/quote/stream?receipts=1`, {
      ...{ method: 'POST', headers: { 'content-type': order }, body },
    })
    const events = readStream(response, ({ event }) => event === 'done')
    const { rfqId } = await client.next('rfq')
    client.send(encodeJson({ type: 'quote', rfqId, quote: await signedQuote(devnet, maker) }))
    await client.next('auction_result')
    expect(types.filter((type) => type === 'receipt')).toEqual([])
    for (const { data } of await events) expect(data).not.toHaveProperty('receipt')
    await client.end()
  } finally {
    await off.close()
  }
})
