// Why: docs/decisions/0016-benchmark-goals.md
import { availableParallelism } from 'node:os'

/** A figure's bound, compared with the unrounded median. */
type Bound = { least: number } | { most: number }

/** A figure and its goal. */
export type Goal = {
  what: string
  /** The other side of a ratio, measured in the same run. Absent for an absolute figure. */
  rival?: string
  unit: 'x' | 'ms' | 'MiB' | 'requests'
  goal: Bound
  /** The figure's theoretical limit, if known. */
  limit?: string
}

const cores = availableParallelism()
const rivalStack = 'Express 5 + viem + a commit each, the same checks'
const rivalOnPostgres = 'Express 5 + viem + pg + a commit each, the same checks'
const acceptedQuote =
  'processor time of an accepted quote, PostgreSQL and NATS, borrower and maker on different instances'
const withoutProofs = 'the same server with PROOFS=off'
const smallStore = 'the same at 1,000'

/**
 * All of the project's goals. Most figures are ratios to a rival in the same run, since absolute times depend on the
 * machine. Figures in milliseconds or MiB are those that users notice directly.
 */
export const goals = {
  verify: ratio('verify one quote, one thread', 'viem `verifyTypedData`', { least: 20 }, '38x'),
  verifyAgainstRecovery: ratio(
    'verify one quote, one thread, against the recovery alone',
    'libsecp256k1 as the same WASM, on digests and signatures in bytes',
    { least: 0.95 },
    '1x',
  ),
  verifyAllCores: ratio(
    `verify quotes on all ${cores} cores`,
    'Firmquote in one thread',
    { least: 0.95 * cores },
    `${cores}x`,
  ),
  digest: ratio('digest of a quote', 'viem `hashTypedData`', { least: 55 }),
  sign: ratio('sign a quote', 'viem `account.signTypedData`', { least: 12 }, '18x'),
  durablePost: ratio('durable POST /quotes', rivalStack, { least: 20 }, '28x'),
  durablePostAgainstRawHttp: ratio(
    'durable POST /quotes against raw http',
    'a bare http.createServer with the same pipeline behind it',
    { least: 0.95 },
    '1x',
  ),
  durablePostLatency: absolute('durable POST /quotes, p99 at 60 % of the measured capacity', 'ms', { most: 10 }),
  tracedIngest: ratio('processor time of POST /quotes with traces', 'the same without', { most: 1.03 }),
  socketQuote: ratio('socket quote to acknowledgement', 'ws + viem + a commit each, the same checks', { least: 26 }),
  socketBurst: ratio(
    '1,000 quotes at once, until the last acknowledgement',
    'the time of 1,000 quotes at the capacity of the same round',
    { most: 1.15 },
    '1x',
  ),
  provableFullLoad: ratio('processor time of an auction quote with proofs, at full load', withoutProofs, {
    most: 1.05,
  }),
  provableSteadyLoad: ratio('processor time of an auction quote with proofs, at 1,000 a second', withoutProofs, {
    most: 1.08,
  }),
  provableAck: ratio('acknowledgement of an auction quote with proofs, p99 at 1,000 a second', withoutProofs, {
    most: 1.1,
  }),
  fanOutTo1000: ratio('RFQ fan-out to 1,000 backers, call to last byte', 'C send() loop', { most: 1.15 }, '1x'),
  fanOutTo5000: ratio('RFQ fan-out to 5,000 backers, call to last byte', 'C send() loop', { most: 1.2 }, '1x'),
  streamedEvent: absolute(
    'accepted quote to SSE event at the borrower, p99, 1,000 streams, 2,000 events/s',
    'ms',
    { most: 0.5 },
    '0.13 ms',
  ),
  chainStateRoundTrips: absolute('RPC round trips for the state of 100 quotes', 'requests', { most: 1 }),
  chainState: ratio('chain state of 100 quotes', 'viem, one request per value, in sequence', { least: 20 }),
  auctionMemory: absolute('memory of one open auction with 200 backers and 200 quotes', 'MiB', { most: 0.5 }),
  idleBackersMemory: absolute('memory of 1,000 idle backers, over idle', 'MiB', { most: 15 }),
  eventLoopDelay: absolute('event-loop delay while 200 backers answer 20 auctions, p99', 'ms', { most: 20 }),
  unansweredQuotes: absolute('quotes without an answer in all of these auctions', 'requests', { most: 0 }),
  // Closing an auction ranks and records 200 quotes and sends every backer a result.
  closeDelay: absolute('promised close to the event done, the last of 20 that close together', 'ms', { most: 100 }),
  quotePage: ratio('GET /quotes, a page of 50 over 1,000,000 stored', 'the same page built from columns of blobs', {
    least: 5,
  }),
  // The goal is a constant cost. A ratio of up to 1.5 counts as flat: a B-tree with a million rows is one or two levels
  // deeper than one with a thousand, and a larger heap takes longer to collect.
  insertGrowth: ratio(
    'insert, committed in groups of 64: cost at 1,000,000 stored quotes',
    smallStore,
    { most: 1.5 },
    '1x',
  ),
  lookUpGrowth: ratio('look-up by hash: cost at 1,000,000 stored quotes', smallStore, { most: 1.5 }, '1x'),
  pageGrowth: ratio('page of the best 50: cost at 1,000,000 stored quotes', smallStore, { most: 1.5 }, '1x'),
  bestOfPoolGrowth: pageGrowth("a pool's best 50"),
  newestGrowth: pageGrowth('the newest 50'),
  expiringGrowth: pageGrowth('the 50 that expire first'),
  sizedGrowth: pageGrowth('the best 50 within a range of sizes'),
  makerGrowth: pageGrowth("a maker's quotes"),
  auctionGrowth: ratio('an auction among 1,000 open ones', 'the same among 10', { most: 1.5 }, '1x'),
  // A prototype that sent one hint per event loop iteration reached ratios of 1.15 and 2.35.
  acceptedQuoteFullLoad: ratio(`${acceptedQuote}, at full load`, 'one process on SQLite', { most: 1.4 }),
  acceptedQuoteSteadyLoad: ratio(`${acceptedQuote}, at a steady 1,000 a second`, 'one process on SQLite', {
    most: 2.2,
  }),
  clusterPost: ratio('durable POST /quotes on PostgreSQL, one instance', rivalOnPostgres, { least: 12 }),
  clusterPostOverThree: ratio('durable POST /quotes on PostgreSQL, three instances', rivalOnPostgres, { least: 10 }),
  clusterPostAgainstNoChain: ratio(
    'durable POST /quotes on PostgreSQL, one instance',
    'Express 5 + viem + pg + a commit each, without any chain read',
    { least: 5 },
  ),
  clusterFanOut: ratio(
    'RFQ fan-out to 1,000 backers on three instances, call to last byte',
    'the same on one instance',
    { most: 1.05 },
  ),
  clusterAuctionGrowth: ratio(
    'processor time that an auction takes for each of 8 instances',
    'the same for each of 2',
    { most: 1.1 },
  ),
  clusterQuoteGrowth: ratio('processor time of a quote at 8 instances, the same work for each', 'the same at 2', {
    most: 1.1,
  }),
  // The lowest figure measured for decoders using zod or hand-written shapes. The current decoder must not be slower
  // than either.
  decodeInService: ratio('decode a signed quote, as the service does', '`JSON.parse` alone', { least: 0.17 }),
  decodeInSdk: ratio('decode a signed quote, as the SDK does', '`JSON.parse` alone', { least: 0.05 }),
  // Runs when an auction closes. Twenty auctions may close at once.
  chooseRandom: absolute('choose from 200 random quotes', 'ms', { most: 5 }),
  chooseHostile: absolute('choose from 200 quotes that are made to defeat the search, the slowest kind', 'ms', {
    most: 50,
  }),
} satisfies Record<string, Goal>

/** A goal's name. */
export type GoalId = keyof typeof goals

/** Figures shown in the repository's README for readers evaluating the service. The report contains all figures. */
export const headlines: readonly GoalId[] = [
  ...(['verify', 'digest', 'sign', 'durablePost', 'socketQuote', 'fanOutTo1000', 'fanOutTo5000'] as const),
  ...(['streamedEvent', 'chainState', 'auctionMemory', 'idleBackersMemory', 'closeDelay', 'pageGrowth'] as const),
  ...(['auctionGrowth', 'clusterPost', 'clusterPostOverThree'] as const),
]

function pageGrowth(what: string): Goal {
  return ratio(`page of ${what}: cost at 1,000,000 stored quotes`, smallStore, { most: 1.5 }, '1x')
}

function ratio(what: string, rival: string, goal: Bound, limit?: string): Goal {
  return { what, rival, unit: 'x', goal, ...(limit !== undefined && { limit }) }
}

function absolute(what: string, unit: Goal['unit'], goal: Bound, limit?: string): Goal {
  return { what, unit, goal, ...(limit !== undefined && { limit }) }
}
