import { rounds, seed } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import { checkAuctionHistories, randomAuctionHistories } from '../../../test/adapters/auctionHistories.ts'
import { playLosses } from '../../../test/adapters/playLosses.ts'
import { createSqliteStore } from './sqliteStore.ts'

const count = 6_000 * rounds

test(
  `behavior: the answers to ${count} random histories of auctions match some order of the concurrent calls`,
  async () => {
    const store = await createSqliteStore({ file: ':memory:' })
    const reached = await checkAuctionHistories(store, randomAuctionHistories(count, seed))
    expect(reached['order decided']).toBeGreaterThan(count / 100)
    await store.close()
  },
  60_000 * rounds,
)

test(
  'behavior: rows and answers agree, whatever writes are lost with the writer',
  async () => {
    process.stderr.write(`losses with SEED=${seed}\n`)
    await playLosses(1_000 * rounds, seed)
  },
  60_000 + 30_000 * rounds,
)
