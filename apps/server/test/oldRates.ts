import type { BlockRef } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import type { Hex } from 'viem'
import { createRateRecorder } from '../src/app/markets/rateRecorder.ts'
import type { Chain } from '../src/ports/chain.ts'
import type { Store } from '../src/ports/store.ts'
import { hashOf } from './storedQuotes.ts'

const daySeconds = 86_400
const today = Math.floor(1_900_000_000 / daySeconds) * daySeconds
const expiry = today + 365 * daySeconds

const literal = (hex: Hex) => `x'${hex.slice(2)}'`
const word = (value: number) => literal(hashOf(value))
const account = (value: number) => literal(`0x${hashOf(value).slice(26)}`)

const [poolId, seriesKey] = [hashOf(1), hashOf(3)]
const place = (block: number, log: number) => ({
  ...{ block_number: String(block), block_hash: word(500 + block), log_index: String(log) },
  transaction_hash: word(600 + block),
})

function insert(table: string, row: Record<string, string>): string {
  return `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`
}

/** A fill whose cost is a share of its notional, both in units, in percent for the year. */
const fill = (block: number, log: number, notional: number, cost: number) =>
  insert('positions', {
    ...{ position_id: word(100 + 10 * block + log), maker: account(1), borrower: account(2) },
    ...{ pool_id: literal(poolId), series_key: literal(seriesKey), opening_index: word(1) },
    ...{ notional: word(notional), cost: word(cost), ...place(block, log) },
  })

/** The time of a block. The first two are on the same day, the last on the next. Block 4 is too old. */
const times: Record<number, number> = { 4: today - 401 * daySeconds, 5: today, 6: today + 10, 7: today + daySeconds }
const cursor: BlockRef = { number: 7n, hash: hashOf(507), timestamp: BigInt(today + daySeconds) }

const forged = insert('fixed_points', {
  ...{ series_key: literal(seriesKey), day: String(today), apr: '0', notional: word(1) },
})

/**
 * A database from before fills had times, with fills in four blocks and a best rate of 0 % left by a stranger's
 * auction. `statements` are in SQLite's syntax.
 */
export const oldRates = {
  forged,
  statements: [
    insert('pools', {
      ...{ pool_id: literal(poolId), loan_token: account(3), adapter: account(4), market: word(2), ...place(3, 0) },
    }),
    insert('series', {
      ...{ series_key: literal(seriesKey), pool_id: literal(poolId), expiry: String(expiry), cap: word(9_000_000) },
      ...place(3, 1),
    }),
    ...[fill(4, 0, 1_000, 900), fill(5, 0, 1_000, 60), fill(5, 1, 1_000, 50), fill(6, 0, 1_500, 120)],
    fill(7, 0, 100, 10),
    forged,
    insert('sync_cursor', { id: '1', number: '7', hash: literal(cursor.hash), timestamp: String(cursor.timestamp) }),
    insert('blocks', { number: '7', hash: literal(cursor.hash) }),
  ],

  /** The days that {@link record} derives. The median of the first day's rates, 5 %, 6 % and 8 %, is 6 %. */
  expected: [
    {
      ...{ seriesKey, expiry, day: today, apr: 6, notional: 3_500n, count: 3 },
      price: { notional: 1_000n, vrtAmount: 60n, at: today },
    },
    {
      ...{ seriesKey, expiry, day: today + daySeconds, apr: tenPercent(), notional: 100n, count: 1 },
      price: { notional: 100n, vrtAmount: 10n, at: today + daySeconds },
    },
  ],

  days: (store: Store) => store.listFillDays({ poolId, from: 0, to: expiry, limit: 100 }),

  /** Runs the service's rate recorder on a chain with these blocks and a node without past state. */
  async record(store: Store): Promise<void> {
    const chain = {
      readBlocks: async (numbers: readonly bigint[]) =>
        numbers.map((number) => ({
          ...{ number, hash: hashOf(500 + Number(number)), timestamp: BigInt(times[Number(number)] ?? 0) },
          ...{ parentHash: hashOf(499 + Number(number)), logsBloom: '0x' as const },
        })),
      readRates: async () => null,
    } satisfies Partial<Chain>
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const recorder = createRateRecorder(
      { chain: chain as unknown as Chain, store, clock: createFakeClock(), log, rateHistoryDays: 400 },
      { status: () => ({ synced: cursor, state: 'ok' }), leads: () => true },
    )
    await recorder.advance()
    recorder.stop()
  },
} as const

/** 10 % for the 364 days from the last fill to expiry, as a rate for 365 days. */
function tenPercent(): number {
  return Math.floor((10 * 365 * 1e10) / 364) / 1e10
}

/** A statement with blob literals in PostgreSQL syntax. */
export function inPostgres(statement: string): string {
  return statement.replace(/x'([0-9a-f]*)'/g, "'\\x$1'::bytea")
}
