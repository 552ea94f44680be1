import type { RFQResult } from '@firmquote/sdk'
import type { Statement } from '@firmquote/verify'

/** Whether a proof is of an auction, as the page shows it. */
export type Comparison = 'same' | 'otherTerms' | 'otherQuotes'

/** Compares a valid proof with the auction that the service showed. Pure. */
export function compareProof(statements: readonly Statement[], auction: RFQResult): Comparison {
  const opened = statements.find((one) => one.code === 'opened')
  const quotes = statements.find((one) => one.code === 'quotes')
  if (!opened || !quotes || !isSameTerms(opened.terms, auction)) return 'otherTerms'
  const shown = auction.quotes.map(({ hash }) => hash)
  const proved = new Set(quotes.hashes)
  return shown.length === quotes.hashes.length && shown.every((hash) => proved.has(hash)) ? 'same' : 'otherQuotes'
}

type Terms = Extract<Statement, { code: 'opened' }>['terms']

function isSameTerms(terms: Terms, { poolId, seriesKey, expiry, notional, openedAt, closesAt }: RFQResult): boolean {
  return (
    terms.poolId === poolId &&
    terms.seriesKey === seriesKey &&
    terms.expiry === BigInt(expiry) &&
    terms.notional === notional &&
    terms.openedAt === BigInt(openedAt) &&
    terms.closesAt === BigInt(closesAt)
  )
}
