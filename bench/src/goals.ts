import type { Finding } from './row.ts'

/** What a figure must reach, and the best that is known to be possible. */
type Goal = Pick<Finding, 'goal' | 'limit'>

/**
 * Every goal of the project, by its figure; nothing else states one. Goals are ratios to a rival of the same run, since
 * times say little about another machine; figures in milliseconds or MiB are what a user notices.
 */
export const goals = {
  verify: { goal: { least: 20 }, limit: '38x' },
  verifyAgainstRecovery: { goal: { least: 0.95 }, limit: '1x' },
  digest: { goal: { least: 55 } },
  sign: { goal: { least: 12 }, limit: '18x' },
  // The least of what the decoders reached while zod shapes and hand-made ones described the wire: no slower than that.
  decodeInService: { goal: { least: 0.17 } },
  decodeInSdk: { goal: { least: 0.05 } },
  durablePost: { goal: { least: 20 }, limit: '28x' },
  durablePostAgainstRawHttp: { goal: { least: 0.95 }, limit: '1x' },
  durablePostLatency: { goal: { most: 10 } },
  tracedIngest: { goal: { most: 1.03 } },
  socketQuote: { goal: { least: 26 } },
  socketBurst: { goal: { most: 1.15 }, limit: '1x' },
  fanOutTo1000: { goal: { most: 1.15 }, limit: '1x' },
  fanOutTo5000: { goal: { most: 1.2 }, limit: '1x' },
  streamedEvent: { goal: { most: 0.5 }, limit: '0.13 ms' },
  quotePage: { goal: { least: 5 } },
  chainStateRoundTrips: { goal: { most: 1 } },
  chainState: { goal: { least: 20 } },
  auctionMemory: { goal: { most: 0.5 } },
  idleBackersMemory: { goal: { most: 15 } },
  eventLoopDelay: { goal: { most: 20 } },
  unansweredQuotes: { goal: { most: 0 } },
  // Each of the auctions has its 200 quotes to rank and record, and a result to send to every backer.
  closeDelay: { goal: { most: 100 } },
  // The goal is "flat". A B-tree of a million rows is a level or two deeper than one of a thousand, and a larger heap takes
  // longer to collect: up to 1.5 counts as flat here.
  storedGrowth: { goal: { most: 1.5 }, limit: '1x' },
  auctionGrowth: { goal: { most: 1.5 }, limit: '1x' },
  // A prototype with one hint a turn took 1.15 and 2.35 times as much.
  acceptedQuoteFullLoad: { goal: { most: 1.4 } },
  acceptedQuoteSteadyLoad: { goal: { most: 2.2 } },
  clusterPost: { goal: { least: 12 } },
  clusterPostOverThree: { goal: { least: 10 } },
  clusterPostAgainstNoChain: { goal: { least: 5 } },
  clusterFanOut: { goal: { most: 1.05 } },
  clusterAuctionGrowth: { goal: { most: 1.1 } },
  clusterQuoteGrowth: { goal: { most: 1.1 } },
  // An auction closes with it, twenty of them at once.
  chooseRandom: { goal: { most: 5 } },
  chooseHostile: { goal: { most: 50 } },
} as const satisfies Record<string, Goal>

/** The goal for verifying on all cores against one thread: 0.95 of each core, which is 1.9 on two. */
export function verifyAllCoresGoal(cores: number): Goal {
  return { goal: { least: 0.95 * cores }, limit: `${cores}x` }
}
