import { comparePrices, quoteApr, type RFQObservation, type StoredQuote } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { fitsSize } from '../../service/fitsSize.ts'
import type { Series } from '../../service/serviceContext.ts'
import { submissionWindowSeconds } from '../../service/submissionWindow.ts'

/** What is on offer at a maturity. */
export type Depth = { quotes: number; makers: number /** Raw units. */; notional: bigint }

/** The best of what is known at one maturity. Amounts in raw units. */
export type CurvePoint = {
  /** `firm`: a published quote, which can be taken. `indicative`: seen in another borrower's auction. */
  kind: 'firm' | 'indicative'
  hash: Hex
  maker: Address
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
  /** Simple, in percent: of a firm quote for the time that is left now, of an indicative one as it was seen. */
  apr: number
  notional: bigint
  cost: bigint
  /** All that counts at this maturity, the best among it. */
  depth: Depth
  /** When it was published or seen, Unix milliseconds. */
  at: number
  /** Firm ones: Unix seconds. */
  validUntil?: number
}

/** Names a point's place: it stays, and keeps the focus, when a better quote takes it. */
export function pointKey({ kind, seriesKey }: CurvePoint): string {
  return `${kind} ${seriesKey}`
}

/** What points are chosen by. */
export type CurveChoice = {
  /** The active series of the pool. */
  series: readonly Pick<Series, 'seriesKey' | 'expiry'>[]
  /** How much the borrower wants to fix, raw units. */
  size: bigint
  /** Whose quotes count beside those that anyone may take. */
  account?: Address
  /** Unix seconds. */
  now: number
}

/** Whether a published quote can be taken now, by this borrower. A contract's word alone counts only after a fill. */
function isTakeable({ quote, status, executable, unproven }: StoredQuote, { account, now }: CurveChoice): boolean {
  return (
    status === 'active' &&
    executable === true &&
    !unproven &&
    quote.signature !== undefined &&
    quote.deadline >= BigInt(now + submissionWindowSeconds) &&
    (quote.taker === zeroAddress || (account !== undefined && isAddressEqual(quote.taker, account)))
  )
}

/** The best takeable quote of each maturity. */
export function firmPoints(quotes: readonly StoredQuote[], choice: CurveChoice): CurvePoint[] {
  const usable = quotes.filter((stored) => fitsSize(stored.quote.notional, choice.size) && isTakeable(stored, choice))
  return eachSeries(choice, ({ seriesKey, expiry }) => {
    const here = usable.filter(({ quote }) => quote.seriesKey === seriesKey).sort((a, b) => a.createdAt - b.createdAt)
    const [best] = here.toSorted((a, b) => comparePrices(a.quote, b.quote))
    return (
      best && {
        kind: 'firm',
        hash: best.hash,
        maker: best.quote.maker,
        seriesKey,
        expiry,
        apr: quoteApr(best.quote, expiry, choice.now),
        notional: best.quote.notional,
        cost: best.quote.vrtAmount,
        depth: firmDepth(here),
        at: best.createdAt,
        validUntil: Number(best.quote.deadline),
      }
    )
  })
}

/** The best of each maturity among what every maker has last said in an auction, as far as its terms still hold. */
export function indicativePoints(observations: readonly RFQObservation[], choice: CurveChoice): CurvePoint[] {
  const usable = observations.filter(({ executable, notional }) => executable && fitsSize(notional, choice.size))
  return eachSeries(choice, ({ seriesKey, expiry }) => {
    const here = usable.filter((seen) => seen.seriesKey === seriesKey).sort((a, b) => a.observedAt - b.observedAt)
    // The newer one takes the place of the older one.
    const latest = [...new Map(here.map((seen) => [seen.maker, seen])).values()]
    const [best] = latest.toSorted((a, b) => a.apr - b.apr)
    return (
      best && {
        kind: 'indicative',
        hash: best.hash,
        maker: best.maker,
        seriesKey,
        expiry,
        apr: best.apr,
        notional: best.notional,
        cost: best.vrtAmount,
        depth: { quotes: latest.length, makers: latest.length, notional: sum(latest.map(({ notional }) => notional)) },
        at: best.observedAt,
      }
    )
  })
}

/** Orders points by maturity, the firm one first where there are two. */
export function orderPoints(points: readonly CurvePoint[]): CurvePoint[] {
  return points.toSorted((a, b) => a.expiry - b.expiry || (a.kind === b.kind ? 0 : a.kind === 'firm' ? -1 : 1))
}

/** The sizes of the takeable quotes, most common first. */
export function firmSizes(quotes: readonly StoredQuote[], choice: CurveChoice): bigint[] {
  const counts = new Map<bigint, number>()
  for (const stored of quotes) {
    if (isTakeable(stored, choice)) counts.set(stored.quote.notional, (counts.get(stored.quote.notional) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([size]) => size)
}

function eachSeries(
  { series, now }: CurveChoice,
  pointOf: (series: CurveChoice['series'][number]) => CurvePoint | undefined,
): CurvePoint[] {
  return series.flatMap((one) => (one.expiry > now ? (pointOf(one) ?? []) : []))
}

/** A maker that has published more than it can pay for counts with its largest quote: any one can be taken, not all. */
function firmDepth(quotes: readonly StoredQuote[]): Depth {
  const makers = [...new Set(quotes.map(({ quote }) => quote.maker))]
  const notionals = makers.map((maker) => {
    const own = quotes.filter(({ quote }) => quote.maker === maker)
    const amounts = own.map(({ quote }) => quote.notional)
    return own.some(({ overcommitted }) => overcommitted) ? largest(amounts) : sum(amounts)
  })
  return { quotes: quotes.length, makers: makers.length, notional: sum(notionals) }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function largest(amounts: readonly bigint[]): bigint {
  let most = 0n
  for (const amount of amounts) if (amount > most) most = amount
  return most
}
