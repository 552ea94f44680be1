import { sign } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { createListLog } from '@firmquote/test-support/listLog'
import { keyTypes } from '@firmquote/verify'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createNoteSigner } from '../../../../../packages/verify/test/proofFixture.ts'
import { closesAt, newAuction, newClose, openedAt } from '../../../test/storedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import { holdAfterMs } from '../../domain/receipts.ts'
import { createProofLog, type ProofLog } from './proofLog.ts'

const secret = `0x${'5e'.repeat(32)}` as const
const signer = `0x${'ab'.repeat(20)}` as const

let store: Awaited<ReturnType<typeof createSqliteStore>>
let proofLog: ProofLog
let failsToRead = false
const clock = createFakeClock(openedAt)
const log = createListLog()

beforeEach(async () => {
  clock.jump(openedAt - clock.now())
  store = await createSqliteStore({ file: ':memory:' })
  const { proofs } = store
  if (!proofs) throw new TypeError('The store has no proofs.')
  const { key, privateKey } = createNoteSigner('rfq.example.com/log/1', keyTypes.log)
  const { publicKey } = key
  const started = await proofs.startLog({ origin: key.name, publicKey, signer, at: openedAt })
  const guarded = {
    ...proofs,
    findOldestEnd: () => (failsToRead ? Promise.reject(new TypeError('no disk')) : proofs.findOldestEnd()),
  }
  const keys = {
    publicKey,
    signer,
    signText: (text: string) => sign(null, Buffer.from(text), privateKey),
    signDigest: () => secret,
  }
  proofLog = createProofLog({ store: guarded, keys, log: started }, { clock, log })
})
afterEach(async () => {
  failsToRead = false
  await proofLog.stop()
  await store.close()
})

const facts = () => [proofLog.newest()?.size ?? 0, proofLog.isHeld(), proofLog.waiting()]

describe('createProofLog', () => {
  test('behavior: no checkpoint without the close of an auction that is overdue', async () => {
    await store.openAuction({ ...newAuction(), secret })
    await proofLog.publish()
    expect(facts()).toEqual([2, false, 0])
    clock.jump(closesAt + holdAfterMs - 1 - clock.now())
    await proofLog.publish()
    expect(facts()).toEqual([2, false, 0])

    clock.jump(1)
    await proofLog.publish()
    expect(facts()).toEqual([2, true, 0])
    // Others may open and close, but the next checkpoint has the close that is due.
    await store.closeAuction(newClose())
    expect(proofLog.newest()?.size).toBe(2)
    await proofLog.publish()
    expect(facts()).toEqual([3, false, 0])
  })

  test('behavior: the time is stored every 10 seconds, also without entries', async () => {
    const seenAfter = async (milliseconds: number) => {
      clock.jump(milliseconds)
      await proofLog.publish()
      return ((await store.proofs?.findLog())?.seenAt ?? 0) - openedAt
    }
    expect([await seenAfter(0), await seenAfter(9_999), await seenAfter(1)]).toEqual([0, 0, 10_000])
    // The service's time was wrong, and has been corrected.
    expect([await seenAfter(-9_999), await seenAfter(-1)]).toEqual([10_000, 0])
  })

  test('behavior: a start after an outage waits for the auctions that it interrupted', async () => {
    await store.openAuction({ ...newAuction(), secret })
    clock.jump(closesAt + holdAfterMs - clock.now())
    await proofLog.start()
    expect(facts()).toEqual([0, true, 2])
    await store.closeAuction(newClose())
    await proofLog.publish()
    expect(facts()).toEqual([3, false, 0])
  })

  test('behavior: while the store cannot be read, the checkpoint is not signed again', async () => {
    await proofLog.publish()
    expect(facts()).toEqual([1, false, 0])
    failsToRead = true
    await proofLog.publish()
    expect(facts()).toEqual([1, true, 0])
    failsToRead = false
    await proofLog.publish()
    expect(facts()).toEqual([1, false, 0])
  })
})
