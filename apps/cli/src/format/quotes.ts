import { formatAddress, formatPoolId, type PoolRates, type QuotePage, type StoredQuote } from '@firmquote/core'
import { isAddressEqual, zeroAddress } from 'viem'
import { showAmount, showInstant, showRate, showTimeLeft, type Token } from './show.ts'
import type { Style } from './style.ts'
import { renderFacts, renderTable } from './table.ts'

const columns = [
  { title: 'HASH' },
  { title: 'APR', right: true },
  { title: 'EFF. APY', right: true },
  { title: 'COST', right: true },
  { title: 'SIZE', right: true },
  { title: 'MAKER' },
  { title: 'POOL' },
  { title: 'TIME LEFT', right: true },
  { title: 'EXECUTABLE' },
]

/**
 * Renders a page of stored quotes. Hashes are printed in full, because other commands need them.
 *
 * @param now Unix milliseconds.
 */
export function renderQuotes({ quotes }: QuotePage, pools: readonly PoolRates[], now: number, style: Style): string {
  const rows = quotes.map(({ hash, apr, effectiveApy, quote, ...stored }) => {
    const token = tokenOf(quote.poolId, pools)
    return [
      hash,
      showRate(apr),
      showRate(effectiveApy),
      showAmount(quote.vrtAmount, token),
      showAmount(quote.notional, token),
      formatAddress(quote.maker),
      formatPoolId(quote.poolId),
      showTimeLeft(quote.deadline, now),
      describeState(stored),
    ]
  })
  return renderTable(columns, rows, style)
}

/** Renders a stored quote, one fact per line. */
export function renderQuote(stored: StoredQuote, pools: readonly PoolRates[], style: Style): string {
  const { hash, quote, apr, effectiveApy, status, createdAt, seenAt } = stored
  const token = tokenOf(quote.poolId, pools)
  const seen = seenAt && `block ${seenAt.blockNumber}${seenAt.transactionHash ? `, ${seenAt.transactionHash}` : ''}`
  const facts: (readonly [string, string | undefined])[] = [
    ['hash', hash],
    ['status', status],
    ['ended', seen],
    ['apr', showRate(apr)],
    ['effective apy', effectiveApy === undefined ? undefined : showRate(effectiveApy)],
    ['cost', showAmount(quote.vrtAmount, token)],
    ['size', showAmount(quote.notional, token)],
    ['maker', quote.maker],
    ['taker', isAddressEqual(quote.taker, zeroAddress) ? 'anyone' : quote.taker],
    ['pool', quote.poolId],
    ['series', quote.seriesKey],
    ['deadline', showInstant(quote.deadline)],
    ['nonce', String(quote.nonce)],
    ['created', showInstant(Math.floor(createdAt / 1000))],
  ]
  return renderFacts(
    facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    style,
  )
}

/**
 * Describes whether a quote can be taken. Any of a maker's overcommitted quotes can be taken, but not all of them
 * together. An unproven quote comes from a contract that may revoke its signature.
 */
function describeState({ executable, reason, overcommitted, unproven }: Partial<StoredQuote>): string {
  if (executable === undefined) return 'unknown'
  if (!executable) return reason ?? 'no'
  return ['yes', ...(overcommitted ? ['overcommitted'] : []), ...(unproven ? ['unproven'] : [])].join(', ')
}

function tokenOf(poolId: string, pools: readonly PoolRates[]): Token | undefined {
  return pools.find((pool) => pool.poolId.toLowerCase() === poolId.toLowerCase())?.loanToken
}
