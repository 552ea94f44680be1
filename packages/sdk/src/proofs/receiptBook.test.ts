import { type QuoteAckMessage, type SerializedSignedQuote, toPublicRfqId } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import {
  encodeRecord,
  formatKey,
  formatProof,
  hashLeaf,
  inclusionPath,
  keyEntry,
  parseProof,
  type Receipt,
  refusedLeaf,
  toBase64,
  verifyCheckpoint,
  verifyProof,
} from '@firmquote/verify'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createLog, runAuction } from '../../../verify/test/proofFixture.ts'
import { ConnectionError } from '../errors.ts'
import { createReceiptBook } from './receiptBook.ts'
import type { ReceiptBook, ReceiptBookConfig, ReceiptProblem, ReceiptProof } from './receiptBookTypes.ts'

const market = { chainId: 8453, quoteMarket: `0x${'51'.repeat(20)}` } as const
const [openedAt, closesAt, mergeBy] = [1_899_999_900_000, 1_899_999_915_000, 1_899_999_975]

type World = Awaited<ReturnType<typeof createWorld>>
let world: World

/** A maker with the second quote of an auction, and a service that a test makes dishonest. */
async function createWorld(options: { drop?: number } = {}) {
  const log = createLog()
  for (let at = 0; at < 5; at += 1) log.append(Uint8Array.of(99, at))
  const auction = await runAuction(log, [400n, 390n, 410n], options)
  const [leaf, opening] = [auction.leaves[1], auction.openings[1]]
  const signed = auction.auctionProof(0).quotes[1] as SerializedSignedQuote
  const receipt = auction.receipts[1] as Receipt
  if (!leaf || !opening) throw new TypeError('The auction has no second quote.')
  const clock = createFakeClock(openedAt)
  const rfqId = toPublicRfqId(auction.publicRfqId.slice(2))
  const accepted: QuoteAckMessage = {
    ...{ type: 'quote_ack', rfqId, status: 'accepted', hash: leaf.hash, receivedAt: openedAt, closesAt },
  }
  const state = {
    ack: accepted as QuoteAckMessage | Error,
    submitted: 0,
    /** The size of the tree that the service shows, and when the witness cosigned it, in Unix seconds. */
    size: null as number | null,
    cosignedAt: mergeBy + 5,
    isDown: false,
    close: null as number | null,
    listed: null as { open: number; close: number | null; hashes: string[] } | null,
    proof: null as string | null,
    saveFails: false,
    reads: 0,
  }
  const proofs: ReceiptProof[] = []
  const problems: ReceiptProblem[] = []
  const stored = new Map<Hex, string>()
  const config: ReceiptBookConfig = {
    maker: leaf.maker,
    market,
    proofs: { origin: log.origin, key: formatKey(log.log.key), promiseSeconds: 60 },
    witnesses: [formatKey(log.witness.key)],
    log: {
      async checkpoint() {
        state.reads += 1
        if (state.isDown) throw new ConnectionError('The log is down.', { sent: 'no' })
        return verifyCheckpoint(log.checkpoint(state.cosignedAt, state.size ?? log.entries.length), {
          log: log.log.key,
        })
      },
      entries: async (from, to) => log.entries.slice(from, to),
      inclusionPath: async (index, { size }) => inclusionPath(log.hashes.slice(0, size), index),
    },
    service: {
      async submit() {
        state.submitted += 1
        if (state.ack instanceof Error) throw state.ack
        return state.ack
      },
      async readAuction() {
        if (!state.listed) throw new ConnectionError('No answer.', { sent: 'maybe' })
        return state.listed
      },
      async readProof() {
        if (state.proof === null) throw new ConnectionError('No answer.', { sent: 'maybe' })
        return state.proof
      },
    },
    events: {
      onProof(proof) {
        if (state.saveFails) throw new TypeError('The disk is full.')
        proofs.push(proof)
      },
      onProblem: (problem) => void problems.push(problem),
    },
    store: {
      save: async (hash, text) => void stored.set(hash, text),
      remove: async (hash) => void stored.delete(hash),
      list: async () => [...stored.values()],
    },
    clock,
  }
  return {
    ...{ log, auction, leaf, signed, receipt, clock, rfqId, accepted, state, proofs, problems, stored, config },
    codes: () => problems.map(({ code }) => code),
    /** Closes the auction, with an honest list and proof. */
    close() {
      const close = auction.close()
      const path = inclusionPath(auction.transcript, 2).map(toBase64)
      Object.assign(state, {
        listed: { open: auction.openIndex, close, hashes: auction.transcript.map(toBase64) },
        proof: formatProof({
          ...{ type: 'quote', keys: log.keys, close: log.prove(close), opening, index: 2, path },
        }),
      })
      return close
    },
    /** Sends the quote, and delivers its receipt. */
    async send(changes: Partial<ReceiptBookConfig> = {}, sent: Receipt | null = receipt) {
      const book = await createReceiptBook({ ...config, ...changes })
      await book.submit(rfqId, signed)
      if (!sent) return book
      const before = seen(book)
      book.receive({ hash: leaf.hash, receipt: sent })
      await until(() => seen(book) > before)
      return book
    },
    /** Moves the local clock after the promise's time. */
    pass: (seconds = 1) => clock.advance(1_000 * (mergeBy + seconds) - clock.now()),
    policy: { log: log.log.key, witnesses: [log.witness.key], quorum: 1 },
  }
}

async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits for verifications, which other threads do. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

function seen(book: ReceiptBook): number {
  const { receipts, invalid } = book.counts()
  return receipts + invalid
}

beforeEach(async () => {
  world = await createWorld()
})

describe('on arrival', () => {
  test('default: a receipt that matches is kept and stored', async () => {
    const { send, stored, codes, state, clock } = world
    const book = await send()
    expect(book.counts()).toMatchObject({ sent: 1, accepted: 1, receipts: 1, invalid: 0, open: 1 })
    expect(JSON.parse([...stored.values()][0] ?? '')).toMatchObject({ receipt: world.receipt })
    clock.advance(10_000)
    await turns()
    expect([codes(), state.submitted]).toEqual([[], 1])
  })

  test('behavior: a receipt that arrives before its acknowledgement', async () => {
    const { config, rfqId, signed, leaf, receipt } = world
    const book = await createReceiptBook(config)
    const submitting = book.submit(rfqId, signed)
    book.receive({ hash: leaf.hash, receipt })
    await submitting
    await until(() => seen(book) === 1)
    expect(book.counts()).toMatchObject({ receipts: 1, open: 1 })
  })

  test('error: a receipt of another quote, time, log or signer, or without an end', async () => {
    const { auction, accepted, log } = world
    const other = createLog()
    const record = Buffer.from(world.receipt.leaf, 'base64')
    const [late] = await log.receipts([record], mergeBy + 3_601)
    const [lastGood] = await log.receipts([record], mergeBy + 3_600)
    const cases: [Receipt, RegExp | null, Partial<QuoteAckMessage>?][] = [
      [auction.receipts[0] as Receipt, /another quote/],
      [world.receipt, /another time/, { receivedAt: openedAt + 1 }],
      [{ ...world.receipt, log: `${other.origin}2` }, /is of the log/],
      [{ ...world.receipt, mergeBy: world.receipt.mergeBy + 1 }, /has no key/],
      [late as Receipt, /far after the close/],
      [lastGood as Receipt, null],
    ]
    for (const [receipt, message, changes] of cases) {
      world = await createWorld()
      world.state.ack = { ...accepted, ...changes } as QuoteAckMessage
      const book = await world.send({}, receipt)
      expect(book.counts()).toMatchObject({ invalid: message ? 1 : 0, open: message ? 0 : 1 })
      if (message)
        expect(world.problems).toMatchObject([{ code: 'RECEIPT_INVALID', message: expect.stringMatching(message) }])
    }
  })

  test('error: a receipt that the log has no key for is found later if the log is down', async () => {
    const { log, send, state, codes, pass } = world
    log.entries[0] = encodeRecord(keyEntry.kind, keyEntry.layout, { signer: `0x${'12'.repeat(20)}`, at: 1n })
    log.hashes[0] = hashLeaf(log.entries[0])
    state.isDown = true
    const book = await send()
    expect([codes(), book.counts().open]).toEqual([[], 1])
    state.isDown = false
    pass()
    await book.check()
    world.close()
    await book.check()
    expect(codes()).toEqual(['RECEIPT_INVALID'])
  })

  test('behavior: a missing receipt is requested 1 s after the acknowledgement, by the same quote', async () => {
    const { send, clock, state, leaf, receipt } = world
    const book = await send({}, null)
    clock.advance(999)
    await turns()
    expect(state.submitted).toBe(1)
    clock.advance(1)
    await turns()
    expect(state.submitted).toBe(2)
    book.receive({ hash: leaf.hash, receipt })
    await until(() => seen(book) === 1)
    clock.advance(60_000)
    await turns()
    expect([state.submitted, book.counts().open]).toEqual([2, 1])
  })

  test('error: no receipt at all', async () => {
    const { send, clock, pass, codes, state } = world
    const book = await send({}, null)
    for (let second = 0; second < 20; second += 1) {
      clock.advance(1_000)
      await turns(5)
    }
    expect(state.submitted).toBe(4)
    pass(-1)
    await book.check()
    expect(codes()).toEqual([])
    pass(0)
    await book.check()
    expect([codes(), book.counts().missing, world.stored.size]).toEqual([['RECEIPT_MISSING'], 1, 0])
  })

  test('behavior: a refused quote is not sent again', async () => {
    const { send, state, clock } = world
    state.ack = { type: 'quote_ack', rfqId: world.rfqId, status: 'rejected', code: 'NONCE_MISMATCH', message: 'No.' }
    const book = await send({}, null)
    clock.advance(30_000)
    await turns()
    expect([state.submitted, book.counts().refused]).toEqual([1, 1])
  })

  test('behavior: sends without any answer are counted', async () => {
    const { config, rfqId, signed, state, clock, codes } = world
    const book = await createReceiptBook(config)
    state.ack = new ConnectionError('It broke.', { sent: 'no' })
    await expect(book.submit(rfqId, signed)).rejects.toThrow('It broke.')
    expect(book.counts().sent).toBe(0)
    state.ack = new ConnectionError('It broke.', { sent: 'maybe' })
    await expect(book.submit(rfqId, signed)).rejects.toThrow('It broke.')
    clock.advance(59_999)
    await book.check()
    expect(codes()).toEqual([])
    clock.advance(1)
    await book.check()
    expect([codes(), book.counts()]).toMatchObject([['UNANSWERED'], { sent: 1, unanswered: 1 }])
  })

  test('behavior: a lost acknowledgement does not lose the promise', async () => {
    const { config, rfqId, signed, state, clock, leaf, receipt } = world
    const book = await createReceiptBook(config)
    state.ack = new ConnectionError('It broke.', { sent: 'maybe' })
    const submitting = book.submit(rfqId, signed)
    book.receive({ hash: leaf.hash, receipt })
    await expect(submitting).rejects.toThrow()
    clock.advance(60_000)
    await book.check()
    expect(book.counts()).toMatchObject({ unanswered: 0, open: 1 })
  })
})

describe('after mergeBy', () => {
  test('default: a kept promise is archived and forgotten', async () => {
    const { send, close, pass, proofs, stored, codes, policy } = world
    const book = await send()
    close()
    pass(-1)
    await book.check()
    expect(proofs).toEqual([])
    pass(0)
    await book.check()
    expect(proofs).toMatchObject([{ type: 'quote', hash: world.leaf.hash }])
    expect(await verifyProof(proofs[0]?.text ?? '', policy)).toMatchObject({ isValid: true })
    await book.stop()
    expect([book.counts(), stored.size, codes()]).toMatchObject([{ kept: 1, broken: 0, open: 0 }, 0, []])
  })

  test('behavior: open receipts survive a restart', async () => {
    const { send, close, pass, proofs, config } = world
    await (await send()).stop()
    close()
    pass()
    const book = await createReceiptBook(config)
    expect(book.counts().open).toBe(1)
    await book.check()
    expect(proofs).toMatchObject([{ type: 'quote' }])
  })

  test('error: a closed auction without the quote proves an omission', async () => {
    world = await createWorld({ drop: 2 })
    const { send, close, pass, proofs, policy } = world
    const book = await send()
    close()
    pass()
    await book.check()
    expect(proofs).toMatchObject([{ type: 'omission', rfqId: world.rfqId }])
    expect(await verifyProof(proofs[0]?.text ?? '', policy)).toMatchObject({ isValid: true })
    expect(book.counts()).toMatchObject({ broken: 1, open: 0 })
  })

  test('error: an omission is proved even if the service hides the close', async () => {
    world = await createWorld({ drop: 2 })
    const { send, close, pass, proofs, state } = world
    const book = await send()
    close()
    for (let at = 0; at < 600; at += 1) world.log.append(Uint8Array.of(99, at & 255))
    if (state.listed) state.listed = { ...state.listed, close: null }
    pass()
    await book.check()
    expect(proofs).toMatchObject([{ type: 'omission' }])
  })

  test.each([
    ['cosigned in time', 0, ['unclosed']],
    ['cosigned a second too early', -1, []],
  ])('error: no close in a checkpoint %s', async (_, seconds, types) => {
    const { send, pass, proofs, policy, state, codes } = world
    for (let at = 0; at < 300; at += 1) world.log.append(Uint8Array.of(99, at & 255))
    // Malformed entries open and close nothing.
    for (const kind of [1, 2]) world.log.append(Uint8Array.of(kind, 1))
    const book = await send()
    state.cosignedAt = mergeBy + seconds
    // The local clock decides nothing, however late it is.
    pass(86_400)
    await book.check()
    expect(proofs.map(({ type }) => type)).toEqual(types)
    for (const { text } of proofs) {
      expect(await verifyProof(text, policy)).toMatchObject({ isValid: true })
      expect(parseProof(text)).toMatchObject({ from: world.auction.openIndex })
    }
    expect(codes()).toEqual(types.length > 0 ? [] : ['LOG_STALE'])
  })

  test.each([
    [119, []],
    [120, ['unclosed']],
  ])(
    'behavior: a clock that is two minutes fast raises no alarm early: a cosignature %i s late',
    async (late, types) => {
      const { send, pass, proofs, state, clock } = world
      clock.jump(120_000)
      await (await send()).stop()
      const book = await createReceiptBook(world.config)
      state.cosignedAt = mergeBy + late
      pass(600)
      await book.check()
      expect(proofs.map(({ type }) => type)).toEqual(types)
    },
  )

  test('behavior: without a trusted witness, a missing close is no breach', async () => {
    const { send, pass, proofs, codes } = world
    const book = await send({ witnesses: [] })
    pass(86_400)
    await book.check()
    expect([proofs, codes(), book.counts()]).toMatchObject([[], ['LOG_STALE'], { isStale: true, broken: 0 }])
  })

  test('behavior: a log that is down is stale once, until it shows the promises', async () => {
    const { send, pass, close, codes, state, proofs, clock } = world
    const book = await send()
    state.isDown = true
    pass(59)
    await book.check()
    expect([codes(), book.counts().isStale]).toEqual([[], false])
    for (let round = 0; round < 3; round += 1) {
      clock.advance(600_000)
      await book.check()
    }
    expect([codes(), book.counts().isStale]).toEqual([['LOG_STALE'], true])
    state.isDown = false
    close()
    clock.advance(600_000)
    await book.check()
    expect([proofs.length, book.counts().isStale]).toEqual([1, false])
  })

  test('behavior: a list that does not match the log proves nothing', async () => {
    const { send, pass, close, codes, proofs, state, clock } = world
    const book = await send()
    close()
    const honest = state.listed
    if (honest) state.listed = { ...honest, hashes: [...honest.hashes].reverse() }
    pass()
    await book.check()
    expect([codes(), proofs]).toEqual([['HASHES_WITHHELD'], []])
    state.listed = honest
    clock.advance(600_000)
    await book.check()
    expect(proofs).toMatchObject([{ type: 'quote' }])
  })

  test('behavior: a log without the opening', async () => {
    const { send, pass, codes, state, proofs } = world
    const book = await send()
    state.size = world.auction.openIndex
    pass()
    await book.check()
    expect([codes(), proofs, book.counts().broken]).toEqual([['NOT_OPENED'], [], 1])
  })

  test('behavior: a proof of another quote is not archived', async () => {
    const { send, pass, close, codes, proofs, state, clock, auction, log } = world
    const book = await send()
    const index = close()
    const path = inclusionPath(auction.transcript, 1).map(toBase64)
    const opening = auction.openings[0] as NonNullable<(typeof auction.openings)[0]>
    state.proof = formatProof({ type: 'quote', keys: log.keys, close: log.prove(index), opening, index: 1, path })
    pass()
    for (let round = 0; round < 12; round += 1) {
      await book.check()
      clock.advance(600_000)
    }
    expect([codes(), proofs, book.counts()]).toMatchObject([['PROOF_WITHHELD'], [], { kept: 1, open: 0 }])
  })

  test('behavior: a proof that cannot be saved is offered again', async () => {
    const { send, pass, close, proofs, state, clock, stored } = world
    const book = await send()
    close()
    state.saveFails = true
    pass()
    await book.check()
    expect([proofs, stored.size]).toEqual([[], 1])
    state.saveFails = false
    clock.advance(600_000)
    await book.check()
    expect(proofs).toHaveLength(1)
  })

  test('behavior: a receipt of another log waits in the store', async () => {
    const { send, config, problems, stored } = world
    await (await send()).stop()
    const proofs = { ...config.proofs, origin: 'rfq.example.com/log/2' }
    const book = await createReceiptBook({ ...config, proofs })
    expect([book.counts().open, stored.size, problems.map(({ code }) => code)]).toEqual([0, 1, ['LOG_REPLACED']])
  })
})

describe('refusals', () => {
  async function refuse(isWrong: boolean, code = 'NOTIONAL_TOO_SMALL') {
    const { log, leaf, auction, rfqId, state } = world
    const record = encodeRecord(refusedLeaf.kind, refusedLeaf.layout, {
      ...{ publicRfqId: auction.publicRfqId, hash: leaf.hash, maker: leaf.maker, at: 1n, code },
      ...{ blockNumber: 40_000_000n, blockHash: `0x${'66'.repeat(32)}` },
    })
    const [receipt] = await log.receipts([record], mergeBy)
    state.ack = { type: 'quote_ack', rfqId, status: 'rejected', code: 'NOTIONAL_TOO_SMALL', message: 'Too small.' }
    return world.send({ isWrong: () => isWrong }, receipt)
  }

  test('behavior: a refusal that is wrong is kept', async () => {
    const book = await refuse(true)
    await book.check()
    expect(world.proofs).toMatchObject([{ type: 'refusal', hash: world.leaf.hash }])
    expect(await verifyProof(world.proofs[0]?.text ?? '', world.policy)).toMatchObject({ isValid: true })
  })

  test('behavior: another refusal is forgotten', async () => {
    const book = await refuse(false)
    await book.check()
    expect([world.proofs, book.counts()]).toMatchObject([[], { refused: 1, receipts: 1 }])
  })

  test('error: a receipt that states another reason', async () => {
    await refuse(true, 'NONCE_MISMATCH')
    expect(world.codes()).toEqual(['RECEIPT_INVALID'])
  })
})

test('behavior: a full book drops its oldest quote', async () => {
  const { send, auction, rfqId, codes } = world
  const book = await send({ maxQuotes: 1 })
  await book.submit(rfqId, auction.auctionProof(0).quotes[0] as SerializedSignedQuote)
  await book.stop()
  expect([codes(), book.counts().open]).toEqual([['DROPPED'], 0])
})
