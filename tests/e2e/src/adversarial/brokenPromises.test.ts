import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicRfqId } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { ServiceClient } from '@firmquote/sdk'
import {
  createLogReader,
  createProofReads,
  createReceiptBook,
  type ReceiptBook,
  type ReceiptProblem,
  type ReceiptProof,
} from '@firmquote/sdk/proofs'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import {
  closeEntry,
  decodeRecord,
  formatKey,
  formatSignature,
  keyTypes,
  parseKey,
  parseNote,
  verifyProof,
} from '@firmquote/verify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Hex, hexToBytes } from 'viem'
import { createNoteSigner, signNote } from '../../../../packages/verify/test/proofFixture.ts'
import { quoteOf } from '../quoteOf.ts'
import { stopAfter } from '../stopAfter.ts'
import { startFalseLog } from './falseLog.ts'
import { startLyingService } from './lyingService.ts'

// A real server keeps its promises, and a proxy in front of it breaks them. The proxy knows the server's keys, as a
// dishonest operator does.

useFolder(beforeAll, afterAll)
const started = stopAfter(afterAll)
const witness = createNoteSigner('witness.example.com/w1', keyTypes.witness)
let stack: Stack
let proxy: Awaited<ReturnType<typeof startLyingService>>
let keyFile: string
let maker: Awaited<ReturnType<typeof startMaker>>

beforeAll(async () => {
  proxy = started(await startLyingService())
  keyFile = join(folder, 'proof.key')
  stack = started(
    await startStack(
      {
        ...{ AUCTION_DURATION_MS: '1000', PROOF_KEY_FILE: keyFile },
        PUBLIC_WS_URL: `${proxy.url.replace('http', 'ws')}/ws/rfq`,
      },
      { by: 'one' },
    ),
  )
  proxy.leadTo(stack.url)
}, 60_000)
beforeEach(async () => {
  maker = await startMaker()
})
afterEach(async () => {
  proxy.repent()
  await maker.stop()
})

/** A maker with a receipt book, whose clock is ahead: promises are due at once, although the log's witness decides. */
async function startMaker() {
  const { chainId, contracts, backers } = stack.devnet
  const config = {
    ...{ chainId, quoteMarketAddress: contracts.quoteMarket, interestRatePoolAddress: contracts.interestRatePool },
    orderbookUrl: proxy.url,
  }
  const client = new ServiceClient(config)
  client.setPrivateKey(backers[0].privateKey)
  const { proofs } = await client.getServiceConfig()
  if (!proofs) throw new TypeError('The service keeps no log.')
  const files: ReceiptProof[] = []
  const problems: ReceiptProblem[] = []
  let ahead = 0
  const reader = createLogReader({ url: `${proxy.url}${proofs.url}`, key: proofs.key, timeoutMs: 2_000 })
  const book: ReceiptBook = await createReceiptBook({
    ...{ maker: backers[0].address, market: { chainId, quoteMarket: contracts.quoteMarket }, proofs },
    ...{ witnesses: [formatKey(witness.key)], log: reader },
    service: {
      ...createProofReads(client, { timeoutMs: 2_000 }),
      submit: (rfqId, signed) => socket.submitSerializedQuote(rfqId, signed, { timeoutMs: 3_000 }),
    },
    events: { onProof: (proof) => void files.push(proof), onProblem: (problem) => void problems.push(problem) },
    clock: {
      ...systemClock,
      now: () => Date.now() + ahead,
      monotonic: () => performance.now() + ahead,
    },
  })
  let answered: Promise<PublicRfqId> = Promise.reject(new TypeError('There is no RFQ.'))
  answered.catch(() => {})
  const socket = await client.connectWebSocket(
    {
      onRFQ({ rfqId, poolId, seriesKey, notional }) {
        answered = client
          .signQuoteMarketQuote(
            quoteOf(backers[0].address, { poolId, seriesKey, notional, vrtAmount: notional / 100n }),
          )
          .then((signed) => book.submit(rfqId, signed))
          .then(() => rfqId)
        answered.catch(() => {})
      },
      onReceipt: book.receive,
    },
    { receipts: true },
  )
  return {
    ...{ book, files, problems, proofs, reader },
    codes: () => problems.map(({ code }) => code),
    /** Runs an auction, and returns its id and the receipt's `mergeBy` once the log has its close. */
    async trade(): Promise<{ rfqId: PublicRfqId; mergeBy: number }> {
      await new ServiceClient({ ...config, orderbookUrl: stack.url }).requestQuotes({
        ...stack.series,
        notional: 10_000_000_000n,
      })
      const rfqId = await answered
      const honest = createProofReads(new ServiceClient({ ...config, orderbookUrl: stack.url }))
      for (;;) {
        const { close } = await honest.readAuction(rfqId)
        if (close !== null) break
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return { rfqId, mergeBy: Math.ceil(Date.now() / 1_000) + 120 }
    },
    /** Moves the clock, and checks what is due. */
    async check(seconds = 600): Promise<void> {
      ahead += seconds * 1_000
      await book.check()
    },
    /** All entries of the honest log. */
    async entries(): Promise<Uint8Array[]> {
      const honest = createLogReader({ url: `${stack.url}${proofs.url}`, key: proofs.key })
      const head = await honest.checkpoint()
      return honest.entries(0, head.size, head)
    },
    policy: { log: parseKey(proofs.key), witnesses: [witness.key] },
    async stop() {
      client.disconnectWebSocket()
      await book.stop()
    },
  }
}

/** Makes the proxy show another log, signed with the server's key, and cosigned at `time` in Unix seconds. */
async function show(entries: readonly Uint8Array[], time: number): Promise<void> {
  const { log: seed } = JSON.parse(readFileSync(keyFile, 'utf8')) as { log: Hex }
  const log = started(await startFalseLog(createNoteSigner(maker.proofs.origin, keyTypes.log, hexToBytes(seed))))
  for (const entry of entries) log.append(entry)
  const note = log.sign()
  log.publish(`${note}${formatSignature(signNote(witness, parseNote(note).text, time))}\n`)
  const { answer } = proxy.lies
  proxy.lies.answer = async (path) => (await log.answer(path)) ?? answer(path)
}

test('default: an honest service keeps its promise, and gives the proof', async () => {
  const { trade, check, files, book, codes, policy } = maker
  await trade()
  await check()
  expect([files.map(({ type }) => type), codes()]).toEqual([['quote'], []])
  expect(await verifyProof(files[0]?.text ?? '', { log: policy.log })).toMatchObject({ isValid: true })
  expect(book.counts()).toMatchObject({ sent: 1, accepted: 1, receipts: 1, kept: 1, broken: 0, open: 0 })
})

test('error: the log does not close the auction, which a witness saw only before the promise', async () => {
  const { trade, check, files, codes, entries } = maker
  const { rfqId, mergeBy } = await trade()
  const all = await entries()
  const isClose = (entry: Uint8Array) =>
    entry[0] === closeEntry.kind && decodeRecord(closeEntry.kind, closeEntry.layout, entry).publicRfqId === `0x${rfqId}`
  proxy.lies.answer = (path) =>
    path.startsWith('/api/v1/log/') ? JSON.stringify({ open: null, close: null, hashes: [] }) : null
  await show(
    all.filter((entry) => !isClose(entry)),
    mergeBy - 1_000,
  )
  await check()
  expect([files, codes()]).toEqual([[], ['LOG_STALE']])
})

test('behavior: a service that hides its log or its list breaks no promise', async () => {
  const { trade, check, files, codes } = maker
  const { mergeBy } = await trade()
  proxy.lies.answer = (path) => (path.startsWith('/log/') ? 404 : null)
  await check()
  expect([codes(), files]).toEqual([['LOG_STALE'], []])
  proxy.lies.answer = (path) => (path.startsWith('/api/v1/log/') ? 404 : null)
  await show(await maker.entries(), mergeBy)
  await check()
  expect([codes(), files]).toEqual([['LOG_STALE', 'HASHES_WITHHELD'], []])
  proxy.repent()
  await check()
  expect(files).toMatchObject([{ type: 'quote' }])
})

test('behavior: a receipt that was lost is sent again', async () => {
  const { trade, check, files, book, codes } = maker
  let dropped = 0
  proxy.lies.tell = (message) => (message.type !== 'receipt' || dropped++ > 0 ? message : null)
  await trade()
  while (book.counts().receipts === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  await check()
  expect([dropped, codes(), files]).toMatchObject([2, [], [{ type: 'quote' }]])
})

test('error: a service without receipts, or without answers, is reported', async () => {
  const { trade, check, codes, book } = maker
  proxy.lies.tell = (message) => (message.type === 'receipt' ? null : message)
  await trade()
  await check()
  expect(codes()).toEqual(['RECEIPT_MISSING'])
  proxy.lies.accepts = ({ type }) => type !== 'quote'
  await expect(trade()).rejects.toThrow()
  await check()
  expect(codes()).toEqual(['RECEIPT_MISSING', 'UNANSWERED'])
  expect(book.counts()).toMatchObject({ sent: 2, missing: 1, unanswered: 1 })
})
