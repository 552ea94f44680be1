// Why: docs/decisions/0071-checkpoint-timers.md
import { type Address, concat, type Hex, keccak256 } from 'viem'

/** The newest block, with the estimated seconds between blocks. `timestamp` is in Unix seconds. */
export type Head = { number: bigint; timestamp: number; interval: number }

/** One series whose checkpoint is awaited. */
export type Watch = {
  /** Unix seconds. */
  expiry: number
  /** Number of blocks that this account waits for others: 0, 1 or 2. */
  turn: number
  /** The first block at or after the expiry. Null until such a block was read. */
  firstBlock: bigint | null
  /** The newest block at the last attempt to send, or null. */
  sentAt: bigint | null
  /** Number of transactions that the node accepted. */
  sends: number
  /** Number of reads around the expiry. */
  polls: number
  isTaken: boolean
}

const turns = 3
/** Maximum number of series to watch. */
export const maxSeries = 128
/** Maximum number of series per transaction. Bounds its gas limit. The next poll sends the rest. */
export const maxPerTransaction = 25
/**
 * Seconds before the expiry at which polling starts. Covers a newest block that is 12 seconds old when the timer is
 * set.
 */
const leadSeconds = 15
/** Milliseconds between polls: several per block, so that a transaction reaches the next block. */
export const pollMs = 500
/** Maximum number of polls per series. A minute covers all turns at 12 seconds per block. */
const maxPolls = 120
/** Maximum number of transactions per series: while polling, and in total. Later ones are sent by the rounds. */
const maxPolledSends = 5
const maxSends = 20
/** Bounds of the block interval in seconds. An idle chain's last interval may be hours. */
const [minInterval, maxInterval] = [1, 12]

/** Creates a watch for a series. The turn is derived from the account and the series, so that it differs by series. */
export function createWatch(account: Address, seriesKey: Hex, expiry: number): Watch {
  const turn = Number(BigInt(keccak256(concat([account, seriesKey]))) % BigInt(turns))
  return { expiry, turn, firstBlock: null, sentAt: null, sends: 0, polls: 0, isTaken: false }
}

/** Lists the keys and expiries of the positions' series, nearest to `now` first. Times are in Unix seconds. */
export function listSeries(positions: readonly { seriesKey: Hex; expiry: number }[], now: number): [Hex, number][] {
  const expiries = new Map(positions.map(({ seriesKey, expiry }) => [seriesKey, expiry]))
  return [...expiries].sort(([, a], [, b]) => Math.abs(a - now) - Math.abs(b - now)).slice(0, maxSeries)
}

/** Advances the head to a newly read block, and measures the block interval. */
export function advanceHead(previous: Head | null, { number, timestamp }: Omit<Head, 'interval'>): Head {
  // Base's interval, until one has been measured.
  if (previous === null) return { number, timestamp, interval: 2 }
  const blocks = Number(number - previous.number)
  if (blocks <= 0) return { number, timestamp, interval: previous.interval }
  const measured = Math.ceil((timestamp - previous.timestamp) / blocks)
  return { number, timestamp, interval: Math.min(Math.max(measured, minInterval), maxInterval) }
}

/** Estimates the number of the first block at or after the expiry, which may be an earlier or a later block. */
export function estimateFirstBlock({ number, timestamp, interval }: Head, expiry: number): bigint {
  return number + BigInt(Math.ceil((expiry - timestamp) / interval))
}

/**
 * Whether to send now, so that the transaction lands in the block of this account's turn. A transaction that lands
 * before the expiry only stores a reading, so another one is sent at the next block.
 */
export function isDue({ expiry, turn, firstBlock, sentAt, sends, isTaken }: Watch, head: Head): boolean {
  if (isTaken || sends >= maxSends || (sentAt !== null && sentAt >= head.number)) return false
  return head.number + 1n >= (firstBlock ?? estimateFirstBlock(head, expiry)) + BigInt(turn)
}

/** Whether polling has reached its limit of transactions without a checkpoint. */
export function isExhausted({ sends, isTaken }: Watch): boolean {
  return !isTaken && sends >= maxPolledSends
}

/** Whether to poll for this series at a time in Unix seconds. */
export function isPolled(watch: Watch, now: number): boolean {
  const { expiry, polls, isTaken } = watch
  return !isTaken && !isExhausted(watch) && expiry - now <= leadSeconds && polls < maxPolls
}

/** Milliseconds until the next read, or null if only the rounds need to read. `now` is in Unix seconds. */
export function nextPollMs(watches: readonly Watch[], now: number): number | null {
  if (watches.some((watch) => isPolled(watch, now))) return pollMs
  const waits = watches.map(({ expiry }) => expiry - leadSeconds - now).filter((seconds) => seconds > 0)
  return waits.length === 0 ? null : Math.min(...waits) * 1_000
}
