import { randomBytes } from 'node:crypto'
import type { Receipt, RFQStreamEvent } from '@firmquote/core'
import { createHashSigner } from '@firmquote/core/verifier'
import { acceptedLeaf, decodeRecord, recoverReceipt, refusedLeaf } from '@firmquote/verify'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, hexToBytes } from 'viem'
import { auctionDurationMs, type HubFixture, opened, settle, startHub } from '../../../test/startHub.ts'
import { newAuctionQuote, openedAt } from '../../../test/storedQuotes.ts'
import type { AuctionHub, FollowedAuction } from '../service.ts'
import type { ProofDeps } from '../serviceDeps.ts'

let it: HubFixture
let proofs: ProofDeps
let signatures = 0
beforeEach(async () => {
  it = await startHub()
  const { store } = it
  if (!store.proofs) throw new TypeError('The store has no proofs.')
  const { signHash, address } = await createHashSigner(`0x${'03'.repeat(32)}`)
  signatures = 0
  const keys: ProofDeps['keys'] = {
    ...{ publicKey: new Uint8Array(32), signer: address, signText: () => new Uint8Array(64) },
    signDigest(digest) {
      signatures += 1
      return signHash(hexToBytes(digest))
    },
  }
  const first = { origin: 'x/log/1', publicKey: keys.publicKey, signer: address.toLowerCase() as Hex, at: openedAt }
  proofs = { keys, store: store.proofs, log: await store.proofs.startLog(first) }
})
afterEach(() => it.close())

const startProvable = () => it.startPeer('own', { proofs, random: (bytes) => randomBytes(bytes) })

/** Submits a maker's quote and requests its receipt, as a session does. */
async function quoteOf(hub: AuctionHub, { rfq }: FollowedAuction, n: number, requester: object = {}) {
  const { quote, publicRfqId: rfqId } = newAuctionQuote(n, rfq.rfqId, { deadline: BigInt(openedAt / 1_000) + 600n })
  const submission = { backer: quote.maker, rfqId, quote }
  const receipts: Receipt[] = []
  const verdict = await hub.submit(submission)
  hub.receipts?.ofVerdict(submission, verdict, requester, (_, receipt) => receipts.push(receipt))
  return { verdict, receipts }
}

/** Requests the receipt of a quote that another instance has accepted, so that its leaf is only in the store. */
async function receiptsOfKnown(hub: AuctionHub, { rfq }: FollowedAuction): Promise<Receipt[]> {
  const { quote, publicRfqId: rfqId } = newAuctionQuote(1, rfq.rfqId, { deadline: BigInt(openedAt / 1_000) + 600n })
  const submission = { backer: quote.maker, rfqId, quote }
  const verdict = await hub.submit(submission)
  if (!verdict.ok) throw new TypeError('The quote was refused.')
  const { leaf, ...known } = verdict.value
  expect(leaf).toMatchObject({ seq: 1 })
  const receipts: Receipt[] = []
  hub.receipts?.ofVerdict(submission, { ok: true, value: known }, {}, (_, receipt) => receipts.push(receipt))
  await settle()
  return receipts
}

const codesOf = (receipts: readonly Receipt[]) =>
  receipts.map(({ leaf }) => decodeRecord(refusedLeaf.kind, refusedLeaf.layout, Buffer.from(leaf, 'base64')).code)

describe('receipts', () => {
  test('default: an accepted quote has a receipt within 250 ms, and a quote after it shares no signature', async () => {
    const hub = startProvable()
    const auction = await opened(hub)
    const first = await quoteOf(hub, auction, 1)
    await settle()
    it.clock.advance(0)
    expect(first.receipts).toHaveLength(1)
    const others = [await quoteOf(hub, auction, 2), await quoteOf(hub, auction, 3)]
    await settle()
    it.clock.advance(249)
    expect(others.flatMap(({ receipts }) => receipts)).toEqual([])
    it.clock.advance(1)
    const receipts = others.flatMap((one) => one.receipts)
    expect([receipts.length, signatures]).toEqual([2, 2])
    for (const receipt of receipts) await recoverReceipt(receipt)
    const seqs = receipts.map(
      ({ leaf }) => decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, Buffer.from(leaf, 'base64')).seq,
    )
    expect(seqs).toEqual([2, 3])
  })

  test('behavior: a drain ends after the last receipts, without waiting for the interval', async () => {
    const hub = startProvable()
    const auction = await opened(hub)
    await quoteOf(hub, auction, 1)
    await settle()
    it.clock.advance(0)
    const { receipts } = await quoteOf(hub, auction, 2)
    const events: RFQStreamEvent[] = []
    auction.listen({
      event: (event) => void hub.receipts?.withReceipt(event).then((one) => events.push(one)),
      end() {},
    })
    const drained = hub.drain()
    it.clock.advance(auctionDurationMs)
    const late = await quoteOf(hub, auction, 3)
    await drained
    expect([receipts.length, codesOf(late.receipts)]).toEqual([1, ['AUCTION_CLOSED']])
    expect(events.filter(({ type }) => type !== 'quote')).toMatchObject([
      { type: 'started', data: { receipt: { log: 'x/log/1' }, opening: {} } },
      { type: 'done', data: { receipt: { log: 'x/log/1' } } },
    ])
  })

  test('behavior: a stop delivers the receipts of the quotes acknowledged before', async () => {
    const hub = startProvable()
    const auction = await opened(hub)
    const { receipts } = await quoteOf(hub, auction, 1)
    await settle()
    expect(receipts).toEqual([])
    hub.stop()
    expect(receipts).toHaveLength(1)
  })

  test("behavior: only what the service's own verdict decided is signed as a refusal", async () => {
    const hub = startProvable()
    const auction = await opened(hub)
    it.chain.verdict = 'refused'
    const attempts = []
    for (let count = 0; count < 4; count += 1) attempts.push(await quoteOf(hub, auction, 1))
    it.clock.advance(0)
    expect(attempts.map(({ receipts }) => codesOf(receipts))).toEqual([
      ...[['NONCE_MISMATCH'], ['NONCE_MISMATCH'], ['NONCE_MISMATCH']],
      [],
    ])
    expect(attempts[3]?.verdict).toMatchObject({ rejection: { code: 'ALREADY_QUOTED' } })
  })

  test('error: if the store cannot be read, there is no receipt, and events come without', async () => {
    const fail = () => Promise.reject(new Error('busy'))
    const hub = it.startPeer('own', {
      proofs: { ...proofs, store: { ...proofs.store, findProof: fail, findLeaf: fail } },
    })
    const auction = await opened(hub)
    // Another instance has stored the quote.
    const receipts = await receiptsOfKnown(hub, auction)
    it.clock.advance(50)
    expect(receipts).toEqual([])
    const [started] = await new Promise<RFQStreamEvent[]>((resolve) => {
      auction.listen({ event: (event) => resolve([event]), end() {} })
    })
    if (!started) throw new TypeError('There is no event.')
    expect(await hub.receipts?.withReceipt(started)).toBe(started)
  })
})

test('behavior: without a log, a hub signs nothing', () => {
  expect(it.hub.receipts).toBeNull()
})
