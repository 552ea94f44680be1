import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPublicRfqId } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { zeroAddress } from 'viem'
import { exampleOutstanding } from '../../../test/exampleOutstanding.ts'
import { exampleRfq } from '../../../test/exampleRfq.ts'
import type { SignedQuoteRecord, Store } from '../../ports/store.ts'
import { createSqliteStore } from './createSqliteStore.ts'
import { openDatabase } from './openDatabase.ts'

const day = 86_400_000
const owner = { chainId: 8453, quoteMarket: zeroAddress, maker: zeroAddress }
let folder: string
let file: string
const opened: Store[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-store-'))
  file = join(folder, 'data', 'daemon.db')
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(folder, { recursive: true })
})

async function open(now = 0): Promise<Store> {
  const store = await createSqliteStore({ file, now })
  opened.push(store)
  return store
}
async function reopen(now = 0): Promise<Store> {
  await opened.pop()?.close()
  return open(now)
}
function record(changes: Partial<SignedQuoteRecord> = {}): SignedQuoteRecord {
  const outstanding = exampleOutstanding({ notional: 2n ** 255n + 1n, deadline: 7n })
  return { ...outstanding, rfqId: null, signature: null, verdict: 'unknown', code: null, signedAt: 5, ...changes }
}

describe('createSqliteStore', () => {
  test('default: restores everything after a restart', async () => {
    const store = await open()
    const quote = record({ rfqId: exampleRfq.rfqId })
    await store.add(quote)
    expect(await store.listUnended()).toEqual([quote])
    expect(await store.listSigned(10)).toEqual([])
    await store.saveSignature(quote.hash, '0x1234')
    await store.saveVerdict(quote.hash, 'rejected', 'NONCE_MISMATCH')
    const expected = { ...quote, signature: '0x1234', verdict: 'rejected', code: 'NONCE_MISMATCH' }
    const again = await reopen()
    expect(await again.find(quote.hash)).toEqual(expected)
    expect(await again.findByRfq(exampleRfq.rfqId)).toEqual(expected)
    expect(await again.listSigned(10)).toEqual([expected])
    expect(await again.findByRfq(toPublicRfqId('cd'.repeat(16)))).toBeNull()
  })

  test('behavior: one quote for each RFQ', async () => {
    const store = await open()
    await store.add(record({ rfqId: exampleRfq.rfqId }))
    await expect(store.add(record({ rfqId: exampleRfq.rfqId }))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })

  test('behavior: keeps ended quotes for thirty days, and others forever', async () => {
    const store = await open()
    const [ended, open_] = [record({ signature: '0x12' }), record({ signature: '0x34' })]
    await store.add(ended)
    await store.add(open_)
    await store.markEnded([ended.hash])
    expect((await store.listUnended()).map(({ hash }) => hash)).toEqual([open_.hash])
    expect(await (await reopen(30 * day)).listSigned(10)).toHaveLength(2)
    expect((await (await reopen(31 * day)).listSigned(10)).map(({ hash }) => hash)).toEqual([open_.hash])
  })

  test('behavior: any number of quotes can end at once', async () => {
    const store = await open()
    const quote = record()
    await store.add(quote)
    const others = Array.from({ length: 40_000 }, (_, index): `0x${string}` => `0x${index.toString(16)}`)
    await store.markEnded([...others, quote.hash])
    expect(await store.listUnended()).toEqual([])
  })

  test('behavior: notes are kept, and the last one counts', async () => {
    const store = await open()
    expect(await store.findNote('paused')).toBeNull()
    await store.saveNote('paused', 'yes')
    await store.saveNote('paused', 'no')
    expect(await (await reopen()).findNote('paused')).toBe('no')
  })

  test('behavior: of the quotes before askers were stored, answers count as those of unproven RFQs', async () => {
    const store = await open()
    const [own, answer] = [record({ asker: 'maker' }), record({ rfqId: exampleRfq.rfqId, asker: 'verified' })]
    await store.add(own)
    await store.add(answer)
    expect((await (await reopen()).find(answer.hash))?.asker).toBe('verified')
    await opened.pop()?.close()
    const database = await openDatabase(file)
    await sql`alter table quotes drop column asker`.execute(database)
    for (const table of ['fills', 'status_seqs', 'receipts'])
      await sql`drop table ${sql.table(table)}`.execute(database)
    await sql`delete from kysely_migration where name > '001_quotes'`.execute(database)
    await database.destroy()
    const upgraded = await open()
    expect((await upgraded.find(own.hash))?.asker).toBe('maker')
    expect((await upgraded.find(answer.hash))?.asker).toBe('unverified')
  })

  test('behavior: the folder is private', async () => {
    await open()
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
  })

  test("error: another maker's database", async () => {
    const store = await open()
    await store.claim(owner)
    await store.claim(owner)
    await expect(store.claim({ ...owner, chainId: 1 })).rejects.toThrow(/belongs to .* chain 8453/)
  })

  test('error: a database in use, and a file that is no database', async () => {
    await open()
    await expect(createSqliteStore({ file, now: 0 })).rejects.toThrow(/Another daemon is using the database/)
    file = join(folder, 'text')
    writeFileSync(file, 'this is text and not a database'.repeat(100))
    await expect(open()).rejects.toThrow(/is corrupt; restore a backup/)
  })

  test('error: a closed database', async () => {
    const store = await open()
    await opened.pop()?.close()
    await expect(store.add(record())).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })

  test('behavior: receipts survive a restart, oldest first', async () => {
    const store = await open()
    for (const [hash, text] of [
      ['0x2', 'b'],
      ['0x1', 'a'],
      ['0x3', 'c'],
      ['0x2', 'd'],
    ] as const)
      await store.saveReceipt(hash, text)
    await store.removeReceipt('0x3')
    expect(await (await reopen()).listReceipts()).toEqual(['d', 'a'])
  })
})
