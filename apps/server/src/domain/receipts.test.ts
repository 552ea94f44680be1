import { randomBytes } from 'node:crypto'
import { toPublicRfqId } from '@firmquote/core'
import { acceptedLeaf, decodeRecord, recoverReceipt, refusedLeaf } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { hexToBytes, numberToHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { acceptedRecord, createReceiptBatch, hasReceipt, refusedRecord } from './receipts.ts'

const privateKey = `0x${'03'.repeat(32)}` as const
const log = 'rfq.example.com/log/1'
const publicRfqId = toPublicRfqId('ab'.repeat(16))
const hash = `0x${'11'.repeat(32)}` as const
const maker = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const recordOf = (seq: number) =>
  acceptedRecord({
    publicRfqId,
    hash,
    maker,
    receivedAt: 1_500,
    seq,
    leaf: `0x${numberToHex(seq, { size: 1 }).slice(2).repeat(32)}`,
  })

describe('createReceiptBatch', () => {
  test.each([1, 2, 3, 5, 64, 65])(
    'default: one signature covers %i claims, each with its own record',
    async (count) => {
      const records = Array.from({ length: count }, (_, index) => recordOf(index))
      const claims = records.map((record) => ({ record, dueAt: 2_000 }))
      const batch = createReceiptBatch(claims, { log, random: (bytes) => randomBytes(bytes) })
      const signature = await sign({ hash: batch.digest, privateKey, to: 'hex' })
      const receipts = batch.receipts(signature)
      expect(new Set(receipts.map(({ salt }) => salt)).size).toBe(count)
      for (const [index, receipt] of receipts.entries()) {
        const { signer, leaf } = await recoverReceipt(receipt)
        expect(signer).toBe(privateKeyToAccount(privateKey).address)
        expect(leaf).toEqual(records[index])
      }
    },
  )

  test('behavior: the latest close counts, rounded up to seconds, plus a minute', () => {
    const mergeByOf = (...times: number[]) =>
      createReceiptBatch(
        times.map((dueAt) => ({ record: recordOf(1), dueAt })),
        { log, random: (bytes) => randomBytes(bytes) },
      ).receipts('0x')[0]?.mergeBy
    expect([mergeByOf(2_000), mergeByOf(2_001), mergeByOf(1_000, 5_000, 3_000)]).toEqual([62, 63, 65])
  })
})

test('behavior: the record of an acceptance', () => {
  expect(decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, recordOf(7))).toEqual({
    ...{ publicRfqId: `0x${publicRfqId}`, hash, maker: maker.toLowerCase(), receivedAt: 1_500n, seq: 7 },
    leaf: `0x${'07'.repeat(32)}`,
  })
})

test('behavior: the record of a refusal, with and without a block', () => {
  const statement = { publicRfqId, hash, maker, at: 1_500.7, code: 'NONCE_MISMATCH' } as const
  const decoded = (block?: { number: bigint; hash: `0x${string}` }) =>
    decodeRecord(refusedLeaf.kind, refusedLeaf.layout, refusedRecord({ ...statement, block }))
  const fields = { hash, maker: maker.toLowerCase(), at: 1_500n, code: 'NONCE_MISMATCH' }
  expect(decoded({ number: 9n, hash })).toMatchObject({ ...fields, blockNumber: 9n, blockHash: hash })
  expect(decoded()).toMatchObject({ ...fields, blockNumber: 0n, blockHash: `0x${'00'.repeat(32)}` })
})

test.each<[Parameters<typeof hasReceipt>[0], boolean]>([
  [{ code: 'NONCE_MISMATCH' }, true],
  [{ code: 'CHAIN_UNAVAILABLE' }, true],
  [{ code: 'AUCTION_CLOSED' }, true],
  [{ code: 'ALREADY_QUOTED', hash }, true],
  [{ code: 'ALREADY_QUOTED', hash: null }, false],
  [{ code: 'RATE_LIMITED' }, false],
  [{ code: 'OUTCOME_UNKNOWN', hash }, false],
])('behavior: whether %j has a receipt: %s', (rejection, expected) => {
  expect(hasReceipt(rejection)).toBe(expected)
})

test('behavior: the salts are the random bytes', () => {
  const { receipts } = createReceiptBatch([{ record: recordOf(1), dueAt: 0 }], { log, random: () => hexToBytes(hash) })
  expect(receipts('0x')[0]?.salt).toBe(Buffer.alloc(16, 0x11).toString('base64'))
})
