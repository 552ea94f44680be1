import type { Pool } from '@firmquote/react'
import type { Words } from '../../copy/words.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import type { CurvePoint } from './curvePoints.ts'

/** Describes a point's rate, cost and comparison with floating in one sentence. `now` is in Unix seconds. Pure. */
export function describePoint(
  { kind, expiry, effectiveApy, cost, notional }: CurvePoint,
  { pool, now }: { pool: Pick<Pool, 'loanToken' | 'floating'>; now: number },
  { texts, formats }: Words,
): string {
  const { reading } = texts.curve
  const { loanToken: token, floating } = pool
  const price = { notional, cost, from: now, expiry }
  const { difference } = compareAtRate(price, floating.ratePerSec)
  const amount = (value: bigint) => formats.withSymbol(formats.amount(value < 0n ? -value : value, token), token)
  const paid = formats.withSymbol(formats.cost(cost, token), token)
  const against = difference === 0n ? reading.same : (difference > 0n ? reading.more : reading.less)(amount(difference))
  return reading[kind](formats.day(expiry), formats.rate(effectiveApy), paid, against)
}
