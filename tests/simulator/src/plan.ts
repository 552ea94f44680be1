// The kinds of actions, how they are drawn, and how a report describes them.

import { type Attack, drawAttack } from './attacks.ts'
import { createRandom, type Random } from './random.ts'
import type { NetworkFaults } from './simBus.ts'
import type { NodeFaults } from './simChain.ts'
import type { StorageFaults } from './simStore.ts'

/** Ways a backer quotes. */
export const quoteKinds = [
  ...(['once', 'the same twice', 'two that differ', 'two that differ, on two instances'] as const),
  ...(['the same on two instances', 'once more after the answer', 'again on any instance'] as const),
  ...(['around the close', 'terms that do not fit', 'forged', 'for another maker', 'more than its funds'] as const),
  ...(['an old nonce', 'to a guessed auction', 'and disconnects'] as const),
] as const

/** One of {@link quoteKinds}. */
export type QuoteKind = (typeof quoteKinds)[number]

/** A borrower's extra actions and their probabilities. Each action is drawn up to twice. */
const stepOdds = {
  ...{ repeats: 0.5, 'repeats with another body': 0.2, 'loses the line': 0.5, 'follows anew': 0.4, looks: 0.4 },
  ...{ 'guesses an id': 0.15, 'guesses a key': 0.1, 'asks for what no series takes': 0.1 },
}

/** One of a borrower's extra actions. */
export type BorrowerStep = {
  /** Milliseconds after the opening request was sent. */
  after: number
  do: keyof typeof stepOdds
  instance: number
}

/** Writes that depend on data read earlier. The simulator may suspend a process just before one of these writes. */
export const stalledWrites = [
  ...(['openAuction', 'acceptQuote', 'closeAuction', 'applyBlocks', 'rollBack', 'holdLease'] as const),
] as const

/** One of {@link stalledWrites}. */
export type StalledWrite = (typeof stalledWrites)[number]

/** Writes of provable auctions. The simulator may kill the process before one, between its statements, or after it. */
export const killedWrites = ['openAuction', 'acceptQuote', 'closeAuction', 'advanceLog'] as const
export const killTimes = ['before', 'within', 'after'] as const

/** One of {@link killedWrites}. */
export type KilledWrite = (typeof killedWrites)[number]

/** A planned action, at a virtual time in milliseconds. Removing an action leaves the rest unchanged. */
export type Action = { at: number } & (
  | {
      do: 'auction'
      auction: number
      borrower: number
      instance: number
      keyed: boolean
      streams: boolean
      short: boolean
      maxVrt: boolean
      /** Whether the borrower proves its debt. */
      verified: boolean
      steps: BorrowerStep[]
    }
  | { do: 'quote'; auction: number; backer: number; kind: QuoteKind; after: number; price: number; retries: boolean }
  | { do: 'crash'; instance: number; for: number }
  | { do: 'restart'; instance: number; for: number }
  | { do: 'hold-up'; instance: number; for: number }
  | { do: 'stall'; before: StalledWrite; for: number }
  | { do: 'kill'; when: (typeof killTimes)[number]; write: KilledWrite; statements: number; for: number }
  | { do: 'outage'; instance: number; of: 'process' | 'database'; for: number }
  | { do: 'witness leaves'; for: number }
  | { do: 'crash and clock'; instance: number; by: number; for: number }
  | { do: 'clock'; instance: number; by: number; for: number }
  | { do: 'storage'; instance: number; for: number; faults: Partial<StorageFaults> }
  | { do: 'network'; for: number; faults: NetworkFaults }
  | { do: 'partition'; for: number; side: number[]; from: 'bus' | 'database' | 'both' }
  | { do: 'database'; for: number; how: 'away' | 'failed over' }
  | { do: 'node'; instance: number; for: number; faults: Partial<NodeFaults> }
  | { do: 'reorganisation'; depth: number; without: number[]; for: number }
  | { do: 'chain stands still'; for: number }
  | { do: 'transaction'; backer: number; what: 'cancel' | 'raise' | 'take' | 'defund' | 'refund' | 'other' }
  | { do: 'backer leaves'; backer: number; for: number }
  | { do: 'borrower returns'; borrower: number; instances: readonly number[] }
  | { do: 'publish'; backer: number; instance: number; price: number; good: boolean }
  | { do: 'list'; instance: number; what: 'quotes' | 'observations' }
  | ({ do: 'attack' } & Attack)
)

/** A history's plan. */
export type History = {
  seed: number
  instances: number
  /** Each backer's home instance. Some backers connect to a second instance. */
  homes: { first: number; second: number | null }[]
  /** Latest start of an action or fault, in virtual milliseconds. Faults may outlast it. */
  end: number
  actions: Action[]
  /** Maximum number of open auctions. */
  openAuctions: number
  /** Whether nothing fails except by an attack, and every maker answers every RFQ within its shares. */
  calm: boolean
}

type FaultKind = Exclude<Action['do'], 'auction' | 'quote' | 'attack'>

/** A scenario's parameters. `faults` contains the average number of actions of each kind per history. */
export type Scenario = {
  auctions: number
  backers: number
  /** The number of instances is drawn from this list. */
  instances: readonly number[]
  faults: Partial<Record<FaultKind, number>>
  /** Probability that a backer quotes in an unusual way. */
  odd: number
  /** Number of attacks on verified borrowers, in a history without other faults. Default: none. */
  attacks?: number
}

const everything: Scenario['faults'] = {
  ...{ crash: 0.8, restart: 0.3, 'hold-up': 0.5, stall: 0.5, clock: 0.4, storage: 0.8, network: 0.4, partition: 0.3 },
  ...{ node: 0.7, reorganisation: 0.7, 'chain stands still': 0.1, transaction: 4 },
  ...{ 'backer leaves': 1, publish: 3, list: 3 },
}
const calm: Scenario = { auctions: 5, backers: 10, instances: [1, 1, 1, 2, 2, 3], faults: everything, odd: 0.35 }
const only = (faults: Scenario['faults']): Scenario['faults'] => ({ transaction: 1, list: 1, publish: 1, ...faults })

/** Scenarios by name. Each scenario emphasises certain kinds of faults. */
export const scenarios = {
  default: calm,
  crashes: { ...calm, faults: only({ crash: 4, restart: 1, storage: 0.5, 'hold-up': 0.5 }) },
  storage: { ...calm, faults: only({ storage: 4, crash: 0.7 }) },
  partitions: {
    ...calm,
    instances: [2, 2, 3, 3, 3],
    faults: only({ network: 2, partition: 2, crash: 1, 'hold-up': 1, node: 1.5, storage: 0.5 }),
    odd: 0.5,
  },
  chain: {
    ...calm,
    auctions: 4,
    faults: { node: 4, reorganisation: 3, 'chain stands still': 0.4, transaction: 12, publish: 8, list: 12 },
  },
  hostile: { ...calm, odd: 0.85, faults: only({ crash: 0.5, storage: 0.5 }) },
  many: {
    ...calm,
    instances: [3, 4, 5, 6, 7],
    faults: {
      ...everything,
      ...{ crash: 2, 'hold-up': 2, stall: 3, clock: 1, storage: 2, network: 1, partition: 2 },
      ...{ database: 0.7, node: 1.5, 'borrower returns': 0.3 },
    },
    odd: 0.5,
  },
  crowd: {
    ...{ auctions: 3, backers: 12, instances: [50], odd: 0.5 },
    faults: {
      ...everything,
      ...{ crash: 8, restart: 3, 'hold-up': 8, stall: 4, clock: 4, storage: 6, partition: 3, database: 0.5, node: 5 },
    },
  },
  // One instance with short auctions' promises: a process dies at every step, and outages last longer than a promise.
  proofs: {
    ...{ auctions: 2, backers: 4, instances: [1], odd: 0.35 },
    faults: {
      ...{ crash: 0.7, kill: 1.5, outage: 0.3, restart: 0.3, 'hold-up': 0.3, stall: 0.3, clock: 0.7, storage: 0.7 },
      ...{ 'witness leaves': 0.5, 'crash and clock': 0.2, node: 0.2, reorganisation: 0.2, transaction: 0.5 },
    },
  },
  // Few slots, so that the attackers reach every limit.
  attacker: { auctions: 4, backers: 4, instances: [1, 1, 1, 2, 3], faults: { list: 2 }, odd: 0, attacks: 250 },
} satisfies Record<string, Scenario>

/** A name of {@link scenarios}. */
export type ScenarioName = keyof typeof scenarios

/** Duration of an auction, in milliseconds. */
export const auctionDurationMs = 15_000
/** Seconds that a quote must outlive its auction. */
export const minSecondsAfterClose = 3
/** Maximum number of open auctions per address. */
export const openRfqs = 3
/** Longest suspension of a process, in milliseconds. The suspension outlasts the chain lease. */
export const longestHoldUpMs = 9_000
/**
 * Largest error of a server's clock at its start, in milliseconds. A service whose time is 30 s from the chain's rejects
 * quotes. A clock may also be set back by minutes, because the service's time does not go back.
 */
const maxStepMs = 25_000
/** Number of borrowers. */
const borrowers = 3
/** Slots for open auctions with and without attacks. */
const fewSlots = 20
const manySlots = 100
/** Block age at which an instance starts reporting degraded health, in seconds. */
export const degradedSeconds = 10
/** Block age at which an instance starts rejecting all quotes, in seconds. */
export const staleSeconds = 30

/** Draws a history. The same seed and scenario always produce the same history. */
export function drawHistory(seed: number, name: ScenarioName): History {
  const random = createRandom(seed, `plan ${name}`)
  const scenario: Scenario = scenarios[name]
  const instances = random.pick(scenario.instances)
  const auctions = random.between(Math.max(1, scenario.auctions - 2), scenario.auctions + 2)
  const { backers } = scenario
  const homes = Array.from({ length: backers }, () => ({
    first: random.below(instances),
    second: instances > 1 && random.chance(0.25) ? random.below(instances) : null,
  }))
  const lastStart = 4_000 + auctions * 4_000
  const end = lastStart + auctionDurationMs + 2_000
  const actions: Action[] = []
  for (let auction = 0; auction < auctions; auction += 1) {
    const at = random.between(3_000, lastStart)
    actions.push(drawAuction(random, { at, auction, instances, verified: scenario.attacks !== undefined }))
    for (let backer = 0; backer < backers; backer += 1) {
      if (random.chance(0.05)) continue
      actions.push(drawQuote(random, { at, auction, backer, odd: scenario.odd }))
    }
  }
  const moments = actions.flatMap((action) =>
    action.do === 'auction' ? [action.at, action.at + auctionDurationMs] : [],
  )
  const context = { random, instances, backers, end, moments }
  for (const [kind, average] of Object.entries(scenario.faults)) {
    // The count is uniform between zero and twice the average.
    const count = Math.floor(random.below(Math.round(average * 200) + 100) / 100)
    for (let left = count; left > 0; left -= 1) {
      actions.push(drawFault(kind as FaultKind, context))
    }
  }
  const attacks = createRandom(seed, 'attacks')
  for (let left = scenario.attacks ?? 0; left > 0; left -= 1) {
    actions.push({ at: attacks.between(2_500, end), do: 'attack', ...drawAttack(attacks) })
  }
  actions.sort((a, b) => a.at - b.at)
  const calm = scenario.attacks !== undefined
  return { seed, instances, homes, end, actions, calm, openAuctions: calm ? fewSlots : manySlots }
}

function drawAuction(
  random: Random,
  { at, auction, instances, verified }: { at: number; auction: number; instances: number; verified: boolean },
): Action {
  const steps: BorrowerStep[] = []
  for (const [step, probability] of Object.entries(stepOdds) as [BorrowerStep['do'], number][]) {
    for (let most = 2; most > 0; most -= 1) {
      if (!random.chance(probability)) continue
      steps.push({ after: drawAfter(random), do: step, instance: random.below(instances) })
    }
  }
  return {
    at,
    do: 'auction',
    auction,
    // Verified borrowers must not reach their own limits.
    borrower: verified ? auction % borrowers : random.below(borrowers),
    instance: random.below(instances),
    keyed: random.chance(0.7),
    streams: random.chance(0.75),
    short: random.chance(0.1) && !verified,
    maxVrt: random.chance(0.2),
    verified,
    steps,
  }
}

/** Draws a delay in milliseconds after the opening request: during the opening, around the close, or at any time. */
function drawAfter(random: Random): number {
  if (random.chance(0.4)) return random.between(0, 60)
  return random.chance(0.3)
    ? random.between(auctionDurationMs - 40, auctionDurationMs + 60)
    : random.between(100, auctionDurationMs + 3_000)
}

function drawQuote(
  random: Random,
  { at, auction, backer, odd }: { at: number; auction: number; backer: number; odd: number },
): Action {
  // Around the close, accepting a quote races with closing the auction.
  const oddKind = random.chance(0.2) ? 'around the close' : random.pick(quoteKinds)
  const kind = random.chance(odd) ? oddKind : 'once'
  const after =
    kind === 'around the close'
      ? // Half of these moments differ from the close by no more than an opening may take.
        auctionDurationMs - (random.chance(0.5) ? random.between(-60, 120) : random.between(10, 50))
      : random.chance(0.5)
        ? random.between(1, 300)
        : random.between(300, auctionDurationMs - 1_000)
  // The range of prices is small, so that ties occur.
  return { at, do: 'quote', auction, backer, kind, after, price: random.between(3, 6), retries: random.chance(0.8) }
}

/** `moments` are the busiest times: openings and closes. */
type FaultContext = { random: Random; instances: number; backers: number; end: number; moments: readonly number[] }

function drawFault(kind: FaultKind, { random, instances, backers, end, moments }: FaultContext): Action {
  const at = random.chance(0.3) ? random.pick(moments) + random.between(-200, 400) : random.between(2_000, end)
  const instance = random.below(instances)
  const backer = random.below(backers)
  const lasting = random.chance(0.5) ? random.between(50, 2_000) : random.between(2_000, 14_000)
  const drawAway = () => (random.chance(0.7) ? random.between(10, 3_000) : random.between(3_000, 25_000))
  const draws: { [Kind in FaultKind]: () => Omit<Extract<Action, { do: Kind }>, 'at' | 'do'> } = {
    crash: () => ({ instance, for: drawAway() }),
    restart: () => ({ instance, for: drawAway() }),
    'hold-up': () => ({ instance, for: drawHoldUp(random) }),
    stall: () => ({ before: random.pick(stalledWrites), for: drawHoldUp(random) }),
    kill: () => ({
      ...{ when: random.pick(killTimes), write: random.pick(killedWrites) },
      ...{ statements: random.between(1, 8), for: drawAway() },
    }),
    // An auction's promise ends 75 s after its opening.
    outage: () => ({
      instance,
      of: random.chance(0.75) ? 'process' : 'database',
      for: random.between(40_000, 120_000),
    }),
    // A running server's time does not follow a step of the clock, but the next process's does.
    'crash and clock'() {
      const by = random.between(-maxStepMs, maxStepMs)
      // The largest steps back become three to five minutes.
      return { instance, by: by < -0.6 * maxStepMs ? 12 * by : by, for: drawAway() }
    },
    'witness leaves': () => ({ for: random.between(5_000, 60_000) }),
    clock: () => ({ instance, by: random.between(-8_000, 8_000), for: lasting }),
    storage: () => ({ instance, for: lasting, faults: drawStorageFaults(random) }),
    network() {
      const [drop, double, slow] = [random.below(11) / 10, random.below(5) / 10, random.below(10) / 10]
      const strange = random.chance(0.5) ? random.below(5) / 10 : 0
      return { for: lasting, faults: { drop, double, slow, strange } }
    },
    partition: () => ({
      for: lasting,
      side: drawSide(random, instances),
      from: random.pick(['bus', 'database', 'both'] as const),
    }),
    database: () =>
      random.chance(0.5)
        ? { for: random.between(500, 12_000), how: 'away' }
        : { for: random.between(200, 5_000), how: 'failed over' },
    node: () => ({ instance, for: lasting, faults: drawNodeFaults(random) }),
    reorganisation: () => ({
      depth: random.chance(0.85) ? random.between(1, 4) : random.between(5, 14),
      without: random.chance(0.5) ? drawSide(random, instances) : [],
      for: lasting,
    }),
    'chain stands still': () => ({ for: random.between(10_000, 40_000) }),
    transaction: () => ({
      backer,
      what: random.pick(['cancel', 'raise', 'take', 'take', 'defund', 'refund', 'other'] as const),
    }),
    'backer leaves': () => ({ backer, for: random.between(10, 6_000) }),
    'borrower returns': () => ({
      borrower: random.below(borrowers),
      instances: Array.from({ length: openRfqs }, () => random.below(instances)),
    }),
    publish: () => ({ backer, instance, price: random.between(3, 9), good: random.chance(0.8) }),
    list: () => ({ instance, what: random.chance(0.75) ? 'quotes' : 'observations' }),
  }
  return { at, do: kind, ...draws[kind]() } as Action
}

function drawHoldUp(random: Random): number {
  return random.chance(0.7) ? random.between(20, 4_000) : random.between(4_000, longestHoldUpMs)
}

/** Draws one side of a network partition: one instance, or up to half of them. */
function drawSide(random: Random, instances: number): number[] {
  const size = random.chance(0.5) ? 1 : random.between(1, Math.max(1, Math.floor(instances / 2)))
  const first = random.below(instances)
  return Array.from({ length: size }, (_, index) => (first + index) % instances)
}

function drawStorageFaults(random: Random): Partial<StorageFaults> {
  return random.pick<Partial<StorageFaults>>([
    { refuse: 1 },
    { refuse: 0.5, refuseRead: 0.3 },
    { unknown: 0.8 },
    { unknown: 0.3, refuse: 0.2 },
    { slowBy: random.between(20, 1_500) },
    { refuseRead: 0.6, slowBy: random.between(0, 50) },
  ])
}

function drawNodeFaults(random: Random): Partial<NodeFaults> {
  return random.pick<Partial<NodeFaults>>([
    { behind: random.between(1, 6) },
    { olderState: random.between(1, 4) },
    { omit: 0.7 },
    { refuse: 0.5 },
    { silent: 0.4 },
    { otherChain: true },
    { behind: random.between(0, 3), olderState: random.between(0, 2), omit: 0.3, refuse: 0.1 },
  ])
}
