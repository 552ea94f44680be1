import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { exampleOutstanding } from '../../test/exampleOutstanding.ts'
import { createSqliteStore } from '../adapters/sqliteStore/createSqliteStore.ts'
import type { MakerFunds, QuotedTo } from '../domain/exposure.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'
import { createExposureLedger } from './exposureLedger.ts'

let folder: string
let opened: Store[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-ledger-'))
  opened = []
})
afterEach(async () => {
  for (const store of opened) await store.close()
  rmSync(folder, { recursive: true })
})

async function openStore(name = 'daemon.db'): Promise<Store> {
  const store = await createSqliteStore({ file: join(folder, name), now: 0 })
  opened.push(store)
  return store
}

function record(changes: Parameters<typeof exampleOutstanding>[0]): SignedQuoteRecord {
  return { ...exampleOutstanding(changes), rfqId: null, signature: null, verdict: 'unknown', code: null, signedAt: 0 }
}

const shares = { unverified: 20, taker: 25 }
const own: QuotedTo = { asker: 'maker', taker: zeroAddress }
const rich: MakerFunds = {
  loanToken: exampleOutstanding().loanToken,
  timestamp: 100n,
  nonce: 0n,
  balance: 100n,
  allowance: 100n,
  ended: new Set(),
}

describe('createExposureLedger', () => {
  test('default', async () => {
    const ledger = await createExposureLedger(await openStore())
    expect(await ledger.reserve(record({ notional: 60n, deadline: 200n }), rich, shares)).toBe(true)
    expect(ledger.affordable(rich, own, shares)).toBe(40n)
    expect(await ledger.reserve(record({ notional: 41n, deadline: 200n }), rich, shares)).toBe(false)
    expect(await ledger.reserve(record({ notional: 40n, deadline: 200n }), rich, shares)).toBe(true)
    expect(ledger.affordable(rich, own, shares)).toBe(0n)
  })

  test('behavior: unverified RFQs share their part, also concurrently and after a restart', async () => {
    const store = await openStore()
    const ledger = await createExposureLedger(store)
    const quotes = [12n, 8n, 1n].map((notional) => record({ notional, deadline: 200n, asker: 'unverified' }))
    const taken = await Promise.all(quotes.map((quote) => ledger.reserve(quote, rich, shares)))
    expect(taken).toEqual([true, true, false])
    const again = await createExposureLedger(store)
    expect(again.affordable(rich, { asker: 'unverified', taker: zeroAddress }, shares)).toBe(0n)
    expect(again.affordable(rich, { asker: 'verified', taker: zeroAddress }, shares)).toBe(25n)
    expect(again.affordable(rich, own, shares)).toBe(80n)
  })

  test('behavior: of many concurrent quotes, reserves only those that fit', async () => {
    const ledger = await createExposureLedger(await openStore())
    const quotes = Array.from({ length: 10 }, () => record({ notional: 30n, deadline: 200n }))
    const taken = await Promise.all(quotes.map((quote) => ledger.reserve(quote, rich, shares)))
    expect(taken.filter(Boolean)).toHaveLength(3)
  })

  test('behavior: a reservation counts after a restart, even if unsigned', async () => {
    const store = await openStore()
    const quote = record({ notional: 60n, deadline: 200n })
    await (await createExposureLedger(store)).reserve(quote, rich, shares)
    await opened.pop()?.close()
    const ledger = await createExposureLedger(await openStore())
    expect(ledger.open()).toEqual([quote])
    expect(ledger.affordable(rich, own, shares)).toBe(40n)
  })

  test('behavior: a released quote no longer counts, here and after a restart; a signed one cannot be released', async () => {
    const store = await openStore()
    const ledger = await createExposureLedger(store)
    const [one, two] = [record({ notional: 60n, deadline: 200n }), record({ notional: 40n, deadline: 200n })]
    await ledger.reserve(one, rich, shares)
    await ledger.reserve(two, rich, shares)
    await ledger.release(one.hash)
    expect(ledger.affordable(rich, own, shares)).toBe(60n)
    await store.saveSignature(two.hash, '0x12')
    await store.remove(two.hash)
    expect((await store.listUnended()).map(({ hash }) => hash)).toEqual([two.hash])
  })

  test('behavior: an ended quote counts for ten more minutes, for older views of the chain', async () => {
    const ledger = await createExposureLedger(await openStore())
    await ledger.reserve(record({ notional: 60n, deadline: 200n }), rich, shares)
    await ledger.dropEnded(800n)
    expect([ledger.open(), ledger.affordable(rich, own, shares)]).toEqual([[], 40n])
    await ledger.dropEnded(801n)
    expect(ledger.affordable(rich, own, shares)).toBe(100n)
  })

  test('error: a quote counts until it is removed from disk', async () => {
    const store = await openStore()
    let fail = (_error: Error) => {}
    const removal = new Promise<void>((_resolve, reject) => {
      fail = reject
    })
    const ledger = await createExposureLedger({ ...store, remove: () => removal })
    const quote = record({ notional: 60n, deadline: 200n })
    await ledger.reserve(quote, rich, shares)
    const released = ledger.release(quote.hash)
    expect(ledger.affordable(rich, own, shares)).toBe(40n)
    fail(new TypeError('The disk is full.'))
    await expect(released).rejects.toThrow('The disk is full.')
    expect(ledger.affordable(rich, own, shares)).toBe(40n)
    expect(ledger.open()).toEqual([quote])
  })

  test('error: a quote that could not be written does not count', async () => {
    const store = await openStore()
    const ledger = await createExposureLedger(store)
    await opened.pop()?.close()
    await expect(ledger.reserve(record({ notional: 60n, deadline: 200n }), rich, shares)).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    expect(ledger.affordable(rich, own, shares)).toBe(100n)
  })
})
