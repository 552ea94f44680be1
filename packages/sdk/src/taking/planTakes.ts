// Why: docs/decisions/0034-client-side-choice.md
import {
  type BlockRef,
  chooseQuotes,
  comparePrices,
  describeRejection,
  judgeTerms,
  type Rejection,
  type SignedQuote,
} from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { BorrowerCheck, Executability } from '../executability/executability.ts'
import { type BorrowerState, judgeExecutability } from '../executability/judgeExecutability.ts'
import { readBorrower } from '../executability/readBorrower.ts'
import { readChain } from '../readChain.ts'
import { type CheckedPlanParameters, checkPlanParameters, type PlanTakesParameters } from './checkPlanParameters.ts'
import { maxVrtAmountOf } from './priceLimit.ts'
import { type KnownOffer, type Offer, offersOf, readBlockSince, readOffers, readPreview } from './readOffers.ts'

/** A quote to take in full. */
export type PlannedTake = {
  /** Computed locally rather than taken from the service's response. */
  hash: Hex
  signed: SignedQuote
  /** The cost in raw units, to be passed to `takeQuoteParameters`. */
  maxCost: bigint
  /** The six checks at the plan's block. The borrower check covers the plan's total cost. */
  verdict: Executability
}

/** A quote that cannot be taken, and why. */
export type RefusedQuote = {
  hash: Hex
  signed: SignedQuote
  /** In full sentences. */
  reason: string
  /** The structured rejection, if one of the service's codes covers it. */
  rejection?: Rejection
}

/** The cheapest way to fix the remaining notional at a given block. Amounts are in raw units of the loan token. */
export type TakePlan = {
  /** The block at which all state was read. */
  block: BlockRef
  /** The takes in order, best rate first. The list is empty if no quote can be taken. */
  takes: readonly PlannedTake[]
  /** Total notional of the takes. */
  notional: bigint
  /** Total cost of the takes. */
  cost: bigint
  /** The maximum cost of the entire requested notional. */
  maxVrtAmount: bigint
  /** Whether the choice is proven optimal. False if the search reached its step limit. */
  optimal: boolean
  /** What the borrower lacks to pay the cost: balance, allowance or permission. */
  missing: BorrowerCheck['missing']
  /** The pool's loan token, or null if no quote matches the request. */
  loanToken: Address | null
  /** The rejected quotes, best rate first. */
  refused: readonly RefusedQuote[]
}

type Refuse = (offer: Offer, why: Rejection | string) => void

/** Maximum number of quotes to consider. If there are more quotes, those with the best rates are considered. */
const maxQuotes = 1_000
/**
 * Maximum number of contract makers' quotes to consider. Contract makers are queried one by one, so that no maker can
 * make another's query fail.
 */
const maxContractMakers = 16
const maxChoices = 8

/**
 * Plans how a borrower fixes a notional with an auction's quotes: which quotes to take, in what order, and the maximum
 * cost of each. All state is read at the same block. Quotes that are not executable or exceed the limit are rejected,
 * and each maker's funds are counted only once. The service's ranking and choice are ignored.
 *
 * The plan is valid only for its block. Take the first quote in `takes`, then plan again for the remaining notional, as
 * {@link takeBest} does.
 *
 * @param quotes The auction's quotes.
 * @throws {ChainUnavailableError} if a read fails. Quotes with unknown state are never planned.
 * @throws {InvalidInputError} if a quote or a parameter is malformed, or the limit is missing.
 * @example
 * ```ts
 * const borrower = account.address
 * const plan = await planTakes(result.quotes, { request, limit: { maxApr: 8 }, borrower, publicClient })
 * for (const { signed, maxCost } of plan.takes) console.log(`${signed.notional} for ${maxCost}`)
 * ```
 */
export async function planTakes(
  quotes: readonly { quote: SignedQuote }[],
  given: PlanTakesParameters,
): Promise<TakePlan> {
  const parameters = checkPlanParameters(given)
  const offers = offersOf(quotes, parameters).sort(comparePrices)
  const { publicClient, quoteMarketAddress, interestRatePoolAddress } = parameters
  return readChain(publicClient, [quoteMarketAddress, interestRatePoolAddress], () => planOffers(offers, parameters))
}

async function planOffers(offers: readonly Offer[], parameters: CheckedPlanParameters): Promise<TakePlan> {
  const { publicClient, borrower, limit, request } = parameters
  const block = await readBlockSince(publicClient, parameters.since)
  const clock = BigInt(Math.floor(parameters.now))
  const now = clock > block.timestamp ? clock : block.timestamp
  const reasons = new Map<Hex, Pick<RefusedQuote, 'reason' | 'rejection'>>()
  const refuse: Refuse = ({ hash }, why) => {
    reasons.set(hash, typeof why === 'string' ? { reason: why } : { reason: describeRejection(why), rejection: why })
  }

  const fitting = keep(offers, refuse, (offer) => judgeTerms(offer.signed, termsOf(parameters), now))
  const known = await readOffers(fitting.slice(0, maxQuotes), parameters, block)
  // All remaining quotes are for the requested series.
  const expiry = known[0]?.state.series?.expiry ?? 0
  const maxVrtAmount = maxVrtAmountOf(limit, request.notional, { expiry, at: now })
  const sound = keep(known, refuse, (offer) => judgeOffer(offer, request, maxVrtAmount, now))
  const usable = await askContractMakers(sound, { parameters, block, now, refuse })
  const loanToken = known[0]?.state.loanToken ?? null
  const borrowerState = await readBorrower(publicClient, { ...marketOf(parameters), block, borrower, loanToken })
  const { takes, optimal } = await chooseTakes(usable, { parameters, maxVrtAmount, block, borrowerState, now, refuse })
  return {
    block,
    takes,
    notional: takes.reduce((sum, { signed }) => sum + signed.notional, 0n),
    cost: takes.reduce((sum, { maxCost }) => sum + maxCost, 0n),
    maxVrtAmount,
    optimal,
    missing: takes[0]?.verdict.checks[5].missing ?? [],
    loanToken,
    refused: offers.flatMap(({ hash, signed }) => {
      const reason = reasons.get(hash)
      return reason ? [{ hash, signed, ...reason }] : []
    }),
  }
}

function keep<Kept extends Offer>(
  offers: readonly Kept[],
  refuse: Refuse,
  judge: (offer: Kept) => Rejection | string | null,
): Kept[] {
  return offers.filter((offer) => {
    const why = judge(offer)
    if (why !== null) refuse(offer, why)
    return why === null
  })
}

function termsOf({ request, borrower, room, submissionWindowSeconds }: CheckedPlanParameters) {
  return {
    poolId: request.poolId,
    seriesKey: request.seriesKey,
    taker: borrower,
    notional: room,
    ...(request.minNotional === undefined ? {} : { minNotional: request.minNotional }),
    lifetime: { min: submissionWindowSeconds, max: Number.MAX_SAFE_INTEGER },
  }
}

/** Returns the reason for rejecting a quote, without querying the maker's contract. */
function judgeOffer(
  { signed, state, byKey }: KnownOffer,
  { notional, expiry, latestExpiry, loanToken }: PlanTakesParameters['request'],
  maxVrtAmount: bigint,
  now: bigint,
): Rejection | string | null {
  if (loanToken !== undefined && state.loanToken !== null && !isAddressEqual(state.loanToken, loanToken)) {
    return `The pool's loan token is ${state.loanToken} on-chain, not ${loanToken}.`
  }
  if (state.series !== null && expiry !== undefined && state.series.expiry < expiry) {
    return `The series ends at ${state.series.expiry}, before the requested ${expiry}.`
  }
  if (state.series !== null && latestExpiry !== undefined && state.series.expiry > latestExpiry) {
    return `The series ends at ${state.series.expiry}, after the latest accepted ${latestExpiry}.`
  }
  // Cross-multiplying avoids rounding the quote's share of the limit.
  if (signed.vrtAmount * notional > maxVrtAmount * signed.notional) {
    const limit = (maxVrtAmount * signed.notional) / notional
    return { code: 'VRT_AMOUNT_TOO_LARGE', vrtAmount: signed.vrtAmount, limit }
  }
  return judgeState(signed, byKey ? state : { ...state, recovered: signed.maker }, now)
}

/** Rejects quotes that need confirmation from the maker's contract but do not receive it. */
async function askContractMakers(
  offers: readonly KnownOffer[],
  {
    parameters,
    block,
    now,
    refuse,
  }: { parameters: CheckedPlanParameters; block: BlockRef; now: bigint; refuse: Refuse },
): Promise<KnownOffer[]> {
  const asked = new Set(offers.filter(({ byKey }) => !byKey).slice(0, maxContractMakers))
  const judged = await Promise.all(
    offers.map(async (offer) => {
      if (offer.byKey) return { offer, why: null }
      if (!asked.has(offer)) return { offer, why: 'Too many makers are contracts, which are queried one by one.' }
      const state = await readPreview(offer, parameters, block)
      const why = state ? judgeState(offer.signed, state, now) : "The maker's contract does not answer."
      return { offer: { ...offer, state: state ?? offer.state }, why }
    }),
  )
  for (const { offer, why } of judged) if (why !== null) refuse(offer, why)
  return judged.flatMap(({ offer, why }) => (why === null ? [offer] : []))
}

/** Chooses quotes and checks them against the contract. Drops rejected quotes and repeats until all are accepted. */
async function chooseTakes(
  usable: readonly KnownOffer[],
  {
    parameters,
    maxVrtAmount,
    block,
    borrowerState,
    now,
    refuse,
  }: {
    parameters: CheckedPlanParameters
    maxVrtAmount: bigint
    block: BlockRef
    borrowerState: BorrowerState
    now: bigint
    refuse: Refuse
  },
): Promise<Pick<TakePlan, 'takes' | 'optimal'>> {
  const { room, maxTakes, borrower, submissionWindowSeconds } = parameters
  if (room === 0n || maxTakes === 0) return { takes: [], optimal: true }
  const { poolId, seriesKey, notional: requested } = parameters.request
  // Each quote has already been checked against its exact share. Rounding the limit up excludes none of them here.
  const limit = (maxVrtAmount * room + requested - 1n) / requested
  let rest = usable
  for (let round = 0; round < maxChoices; round += 1) {
    const capacity = rest[0]?.state.capacity ?? 0n
    const funds = new Map(rest.map((offer) => [offer.maker.toLowerCase(), fundsOf(offer)]))
    const { quotes, cost, optimal } = chooseQuotes(rest, {
      notional: room,
      maxVrtAmount: limit,
      capacity,
      funds,
      maxTakes,
    })
    const takes: PlannedTake[] = []
    const failed = new Set<KnownOffer>()
    const states = await Promise.all(quotes.map((offer) => readPreview(offer, parameters, block)))
    for (const [index, offer] of quotes.entries()) {
      const { hash, signed, notional, vrtAmount: maxCost } = offer
      const state = states[index]
      const facts = { borrowerState, borrower, submissionWindowSeconds, now: Number(now), needed: cost }
      const verdict = state && judgeExecutability(signed, { ...facts, state, request: { poolId, seriesKey, notional } })
      const broken = verdict?.checks.find(({ name, ok }) => !ok && name !== 'borrower')
      if (verdict && !broken) {
        takes.push({ hash, signed, maxCost, verdict })
        continue
      }
      failed.add(offer)
      refuse(offer, broken?.rejection ?? broken?.reason ?? 'The contract returned no verdict.')
    }
    if (failed.size === 0) return { takes, optimal }
    rest = rest.filter((offer) => !failed.has(offer))
  }
  return { takes: [], optimal: false }
}

function fundsOf({ state: { balance, allowance } }: KnownOffer): bigint {
  return balance < allowance ? balance : allowance
}

function marketOf({ quoteMarketAddress, interestRatePoolAddress }: CheckedPlanParameters) {
  return { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress }
}
