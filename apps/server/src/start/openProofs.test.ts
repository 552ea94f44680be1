import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { createListLog } from '@firmquote/test-support/listLog'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'
import { openProofs } from './openProofs.ts'

useFolder(beforeEach, afterEach)
const stores: Awaited<ReturnType<typeof createSqliteStore>>[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

const newDatabase = async () => {
  const store = await createSqliteStore({ file: ':memory:' })
  stores.push(store)
  return store
}
const keyFile = () => join(folder, 'proof.key')
const open = async (
  { proofs: store }: Awaited<ReturnType<typeof newDatabase>>,
  PROOF_KEY_FILE: string | null = null,
) => {
  const log = createListLog()
  const settings = { PROOFS: 'on', PROOF_KEY_FILE, DATA_DIR: folder, PUBLIC_WS_URL: null, PORT: 3005 } as const
  const opened = await openProofs(settings, { store, clock: createFakeClock(1_900_000_000_000), log })
  return { origin: opened?.log.origin ?? null, signer: opened?.keys.signer, said: JSON.stringify(log.entries) }
}

test('default: the first start creates the keys and the log, and a later one continues them', async () => {
  const database = await newDatabase()
  const first = await open(database)
  expect(first.origin).toBe('localhost:3005/log/1')
  expect(await open(database)).toEqual(first)
})

test('error: a database that lost its log, as a backup from before the log, does not begin another one', async () => {
  const { signer } = await open(await newDatabase())
  const restored = await newDatabase()
  const refused = await open(restored)
  expect([refused.origin, await restored.proofs?.findLog()]).toEqual([null, null])
  expect(refused.said).toContain('remove it to begin a log with new keys')
  rmSync(keyFile())
  const renewed = await open(restored)
  expect(renewed.origin).toBe('localhost:3005/log/1')
  expect(renewed.signer).not.toBe(signer)
})

test('error: a log without its keys does not continue', async () => {
  const database = await newDatabase()
  await open(database)
  rmSync(keyFile())
  const refused = await open(database)
  expect([refused.origin, refused.said]).toEqual([null, expect.stringContaining('the keys of the log are missing')])
})

test('behavior: PROOF_KEY_FILE may name keys that exist', async () => {
  const { signer } = await open(await newDatabase())
  expect(await open(await newDatabase(), keyFile())).toMatchObject({ origin: 'localhost:3005/log/1', signer })
})
