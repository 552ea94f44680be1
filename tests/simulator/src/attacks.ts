// The kinds of attack that the random attacker mixes, shared by the simulator and the trial against a real server.

import type { Random } from './random.ts'

/** An attack's possible answers. `must` lists answers that a long run receives, and `may` the others. */
type Answers = { must: readonly string[]; may: readonly string[] }

/** Refusals by the limits on RFQs. */
const limited = ['TOO_MANY_OPEN', 'RATE_LIMITED', 'OVERLOADED']
/** Refusals of a quote that comes after another one or after the close, or that costs too much. */
const late = ['ALREADY_QUOTED', 'AUCTION_CLOSED', 'OVERLOADED', 'VRT_AMOUNT_TOO_LARGE']
/** Refusals of a quote whose maker has just cancelled quotes or moved its funds. */
const changed = ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_ALLOWANCE', 'ALREADY_CANCELLED', 'NOT_EXECUTABLE']

/** The kinds of attack and their answers. `opened` and `verified` are auctions, `read` is any successful read. */
export const attackKinds = {
  // As a borrower.
  'open and drop': { must: ['opened', 'OVERLOADED'], may: limited },
  'open and hold': { must: ['opened'], may: limited },
  'unverified whale': { must: ['opened'], may: limited },
  'dust request': { must: ['NOTIONAL_TOO_SMALL'], may: limited },
  'same key': { must: ['opened', 'IDEMPOTENCY_KEY_REUSED'], may: limited },
  'proof of another taker': { must: ['TAKER_PROOF_INVALID', 'RATE_LIMITED'], may: [] },
  'name of another taker': { must: ['opened'], may: limited },
  'rented debt': { must: ['verified', 'TOO_MANY_OPEN'], may: ['opened', ...limited] },
  'moved debt': { must: ['opened'], may: limited },
  'debt used twice': { must: ['verified', 'opened'], may: limited },
  'take early': { must: ['opened', 'taken'], may: ['reverted', ...limited] },
  reads: { must: ['read'], may: ['OVERLOADED'] },
  'private quote': { must: ['hidden'], may: [] },
  // As a maker.
  'quote without funds': { must: ['INSUFFICIENT_BALANCE'], may: late },
  'quote of another maker': { must: ['MAKER_MISMATCH'], may: late },
  'forged signature': { must: ['BAD_SIGNATURE'], may: [...late, ...changed] },
  'dust quote': { must: ['NOTIONAL_TOO_SMALL'], may: late },
  'guessed auction': { must: ['RFQ_NOT_FOUND'], may: [] },
  'the same again': { must: ['accepted'], may: [...late, ...changed] },
  'another quote': { must: ['accepted', 'ALREADY_QUOTED'], may: [...late, ...changed] },
  'quote and cancel': { must: ['accepted'], may: [...late, ...changed] },
  'quote and move funds': { must: ['accepted'], may: [...late, ...changed] },
  publish: { must: ['stored', 'TOO_MANY_OPEN'], may: ['OVERLOADED', ...changed] },
} satisfies Record<string, Answers>

/** One of {@link attackKinds}. */
export type AttackKind = keyof typeof attackKinds

/** The attackers' resources. Network 0 is also the honest borrowers' network. */
export const attackers = { networks: 16, makers: 8, fundedMakers: 5, takers: 2 } as const

/** One attack. */
export type Attack = {
  kind: AttackKind
  network: number
  /** The attacking maker. The first ones hold funds. */
  maker: number
  taker: number
  size: 'least' | 'usual' | 'whale'
  /** The quote's price, in percent of the honest price. */
  percent: number
  /** Milliseconds until the second step, such as the cancellation. */
  after: number
  /** A random number that chooses the server, the auction and the variant. */
  choice: number
}

const kinds = Object.keys(attackKinds) as AttackKind[]
/** Kinds that fill slots, which are drawn more often. */
const floods: readonly AttackKind[] = ['open and drop', 'open and hold', 'unverified whale']

/** Draws an attack. */
export function drawAttack(random: Random): Attack {
  const kind = random.pick(random.chance(0.35) ? floods : kinds)
  const needsFunds = attackKinds[kind].must.some((answer) => answer === 'accepted' || answer === 'stored')
  return {
    kind,
    // Checked proofs count against the network even of a verified borrower, so they come from another one.
    network: kind === 'proof of another taker' ? 1 : random.below(attackers.networks),
    maker:
      kind === 'quote without funds'
        ? random.between(attackers.fundedMakers, attackers.makers - 1)
        : random.below(needsFunds ? attackers.fundedMakers : attackers.makers),
    // Each use has its own taker, because the first one uses up its taker's limits.
    taker: kind === 'rented debt' ? 0 : 1,
    size: random.pick(['least', 'usual', 'whale'] as const),
    percent: random.pick([0, 50, 99, 150]),
    after: random.between(1, 4_000),
    choice: random.below(1_000_000),
  }
}

/** Counts answers by kind of attack. */
export function createAttackAnswers() {
  const counts = new Map<string, number>()
  return {
    /** Counts an answer. Returns whether the kind of attack may receive it. */
    count(kind: AttackKind, answer: string): boolean {
      const key = `${kind}: ${answer}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      const { must, may }: Answers = attackKinds[kind]
      return must.includes(answer) || may.includes(answer)
    },
    counts: (): ReadonlyMap<string, number> => counts,
  }
}

/** The answers that a long run must have received, such as `dust quote: NOTIONAL_TOO_SMALL`. */
export const expectedAnswers: readonly string[] = kinds.flatMap((kind) =>
  attackKinds[kind].must.map((answer) => `${kind}: ${answer}`),
)
