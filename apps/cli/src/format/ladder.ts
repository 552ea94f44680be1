import {
  type CollectedQuote,
  chooseQuotes,
  comparePrices,
  formatAddress,
  formatPoolId,
  type RFQ,
  type RFQProgress,
} from '@firmquote/core'
import { printable } from './printable.ts'
import { type FixedRate, showAmount, showFixedRate, showInstant, showRate, showTimeLeft, type Token } from './show.ts'
import { plainStyle, type Style } from './style.ts'
import { renderTable } from './table.ts'

/** An auction's state at one point in time. */
export type LadderState = {
  rfq: RFQ & { backers: number }
  token: Token
  /** In order of arrival. */
  quotes: readonly CollectedQuote[]
  /** Unix milliseconds on the service's clock. */
  now: number
  /** Number of rejected submissions. Null while the auction is open. */
  rejectedCount: number | null
  /** Whether the service was down when the auction should have closed. */
  interrupted?: boolean
  progress?: RFQProgress
}

const columns = [
  { title: '#', right: true },
  { title: 'APR', right: true },
  { title: 'EFF. APY', right: true },
  { title: 'COST', right: true },
  { title: 'SIZE', right: true },
  { title: 'MAKER' },
  { title: 'TIME LEFT', right: true },
]

/** Renders an auction: the request, the time until it closes, and its quotes, best first. No line exceeds `width`. */
export function renderLadder(state: LadderState, width: number, style: Style = plainStyle): string {
  return `${style.bold(cut(describeRfq(state), width))}\n${renderRanking(state, width, style)}`
}

/** Like {@link renderLadder}, but without the request, which has already been printed. */
export function renderRanking(state: LadderState, width: number, style: Style = plainStyle): string {
  const lines = [{ text: describeProgress(state), emphasis: (text: string) => text }]
  if (state.quotes.length > 0) {
    const [head = '', best = '', ...others] = renderTable(columns, ladderRows(state)).split('\n')
    lines.push({ text: head, emphasis: style.dim }, { text: best, emphasis: style.good })
    lines.push(...others.map((text) => ({ text, emphasis: (line: string) => line })))
  }
  return lines.map(({ text, emphasis }) => emphasis(cut(text, width))).join('\n')
}

/** Sorts quotes, best first: by lowest cost for their size, then by largest size, then by earliest arrival. */
export function rankQuotes(quotes: readonly CollectedQuote[]): CollectedQuote[] {
  return [...quotes].sort((a, b) => comparePrices(a.quote, b.quote))
}

/**
 * Chooses the quotes that fix as much of the requested amount as possible at the lowest cost, based on the service's
 * data. A smaller quote may have a better rate, but a backer must not be able to hide other quotes behind a tiny one.
 */
export function chooseBest(
  quotes: readonly CollectedQuote[],
  request: Pick<RFQ, 'notional' | 'maxVrtAmount'>,
): CollectedQuote[] {
  const offers = quotes.map((collected) => {
    const { maker, notional, vrtAmount } = collected.quote
    return { hash: collected.hash, maker, notional, vrtAmount, collected }
  })
  return chooseQuotes(offers, request).quotes.map(({ collected }) => collected)
}

/** Describes an auction in one line. */
export function describeRfq({ rfq, token }: Pick<LadderState, 'rfq' | 'token'>): string {
  const backers = `${rfq.backers} ${rfq.backers === 1 ? 'backer' : 'backers'} asked`
  const amount = showAmount(rfq.notional, token)
  return printable(`${amount} of pool ${formatPoolId(rfq.poolId)} until ${showInstant(rfq.expiry)}, ${backers}`)
}

/** Describes a quote in one line, for output that cannot be redrawn. */
export function describeQuote(
  { quote, unproven, ...rate }: Pick<CollectedQuote, 'quote' | 'unproven'> & FixedRate,
  token: Token,
  now: number,
): string {
  const [cost, size] = [showAmount(quote.vrtAmount, token), showAmount(quote.notional, token)]
  const left = showTimeLeft(quote.deadline, now)
  return printable(
    `${showFixedRate(rate)}, costs ${cost} for ${size}, by ${quote.maker}${unproven ? ' (unproven)' : ''}, time left ${left}`,
  )
}

function ladderRows({ quotes, token, now }: LadderState): string[][] {
  return rankQuotes(quotes).map(({ quote, apr, effectiveApy, unproven }, index) => [
    String(index + 1),
    showRate(apr),
    showRate(effectiveApy),
    showAmount(quote.vrtAmount, token),
    showAmount(quote.notional, token),
    `${formatAddress(quote.maker)}${unproven ? ' (unproven)' : ''}`,
    showTimeLeft(quote.deadline, now),
  ])
}

function describeProgress({ rfq, quotes, now, rejectedCount, interrupted, progress }: LadderState): string {
  const count = quotes.length === 0 ? 'no quotes' : `${quotes.length} ${quotes.length === 1 ? 'quote' : 'quotes'}`
  if (rejectedCount !== null) {
    const closed = interrupted ? 'closed late, because the service was down' : 'closed'
    return `${closed}: ${count}${rejectedCount > 0 ? `, ${rejectedCount} refused` : ''}`
  }
  const left = Math.max(0, rfq.closesAt - now)
  const closing = `closes in ${(Math.ceil(left / 100) / 10).toFixed(1)} s`
  return `${closing}: ${count}${quotes.length === 0 ? ' yet' : ''}${progress ? `, ${describeAnswers(progress)}` : ''}`
}

/** Says how many makers have answered, without a full stop. */
function describeAnswers({ answered, expected }: RFQProgress): string {
  return `${answered < expected ? `${answered} of ${expected}` : `all ${expected}`} have answered`
}

function cut(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}
