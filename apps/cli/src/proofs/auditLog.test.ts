import { closeEntry, encodeRecord, keyEntry, openEntry } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { auditEntry, createAudit, findUnclosed, mergeByOf, timeOf } from './auditLog.ts'
import { formatState, parseState } from './monitorState.ts'

const idOf = (index: number) => `0x${index.toString(16).padStart(32, '0')}` as const
const bytes32 = `0x${'00'.repeat(32)}` as const
const key = encodeRecord(keyEntry.kind, keyEntry.layout, { signer: `0x${'01'.repeat(20)}`, at: 1n })
const open = (index: number, closesAt = 15_000n, openedAt = 0n) =>
  encodeRecord(openEntry.kind, openEntry.layout, { publicRfqId: idOf(index), openedAt, closesAt, openLeaf: bytes32 })
const close = (index: number, closedAt = 15_000n) =>
  encodeRecord(closeEntry.kind, closeEntry.layout, { publicRfqId: idOf(index), closedAt, count: 2, root: bytes32 })
const auditOf = (...entries: Uint8Array[]) => {
  const audit = createAudit()
  const findings = [key, ...entries].flatMap((entry) => auditEntry(audit, entry) ?? [])
  return { audit, findings }
}

describe('auditEntry', () => {
  test('behavior: keeps open auctions alone, however long the log is', () => {
    const { audit } = auditOf()
    for (let index = 0; index < 20_000; index += 1) {
      auditEntry(audit, open(index))
      if (index >= 5) expect(auditEntry(audit, close(index - 5))).toBeNull()
      expect(audit.open.size).toBeLessThanOrEqual(6)
    }
    expect(audit.position).toBe(39_996)
  })

  test('behavior: an entry of a later kind says nothing, and a time beyond 2^53 is a time', () => {
    const { audit, findings } = auditOf(Uint8Array.of(200), open(1, 2n ** 64n - 1n))
    expect(findings).toEqual([])
    const state = { url: 'https://rfq.example.com/log/1', key: keyText, note: null, witnessed: null, audit }
    expect(parseState(formatState(state))).toEqual(state)
  })

  test('error: a log without a first key, and an auction that ends before its opening', () => {
    expect(auditEntry(createAudit(), open(1))).toMatchObject({ code: 'RULE', index: 0 })
    expect(auditOf(open(1, 9n, 9n)).findings).toEqual([])
    expect(auditOf(open(1, 8n, 9n)).findings).toMatchObject([{ code: 'RULE', index: 1 }])
  })
})

const keyText = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'

describe('findUnclosed', () => {
  test('default: an auction is overdue from mergeBy on, and found once', () => {
    expect([mergeByOf({ closesAt: 15_000 }), mergeByOf({ closesAt: 15_001 })]).toEqual([75, 76])
    const { audit } = auditOf(open(1), open(2), close(2))
    const source = 'witnesses'
    expect(findUnclosed(audit, { seconds: 74, source })).toEqual([])
    expect(findUnclosed(audit, { seconds: 75, source })).toMatchObject([{ publicRfqId: idOf(1).slice(2), index: 1 }])
    expect(findUnclosed(audit, { seconds: 76, source })).toEqual([])
  })
})

describe('backdated entries', () => {
  const source = 'witnesses'
  test.each([
    ['an opening dated more than a minute before', open(2, 60_000n, 39_999n), 'BACKDATED'],
    ['an opening dated a minute before', open(2, 60_000n, 40_000n), undefined],
    ['a close after an outage, dated at the end', close(1), undefined],
    ['a key, which opens no auction', key, undefined],
  ])('error: %s witnesses saw the log without it', (_, entry, code) => {
    const { audit } = auditOf(open(1))
    findUnclosed(audit, { seconds: 100, source })
    findUnclosed(audit, { seconds: 90, source })
    expect(auditEntry(audit, entry)?.code).toBe(code)
  })

  test('behavior: without witnesses, no entry is backdated', () => {
    const { audit } = auditOf(open(1))
    findUnclosed(audit, { seconds: 1_000, source: 'entries' })
    expect(auditEntry(audit, open(2))).toBeNull()
  })
})

describe('timeOf', () => {
  const witnesses = [30, 10, 20].map((time) => ({ name: `w${time}`, time }))
  test.each([
    [0, 30],
    [1, 30],
    [2, 20],
    [3, 10],
  ])('default: a quorum of %i confirms %i', (quorum, seconds) => {
    const policy = { witnesses: 3, quorum }
    expect(timeOf({ witnesses }, policy, { newestAt: 0 })).toEqual({ seconds, source: 'witnesses' })
  })

  test('behavior: without witnesses, the newest entry counts; with too few cosignatures, nothing does', () => {
    expect(timeOf({ witnesses: [] }, { witnesses: 0, quorum: 0 }, { newestAt: 75_999 })).toEqual({
      ...{ seconds: 75, source: 'entries' },
    })
    expect(timeOf({ witnesses }, { witnesses: 4, quorum: 4 }, { newestAt: 75_999 })).toBeNull()
  })
})
