import type { Pool } from '@firmquote/react'
import type { RatesTexts } from '../../copy/enRates.ts'
import type { Formats } from '../../copy/formats.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import type { CurvePoint } from './curvePoints.ts'

/** Describes a point's rate, cost and comparison with the variable rate in one line. `now` is in Unix seconds. Pure. */
export function describePoint(
  { kind, expiry, effectiveApy, cost, notional, median }: CurvePoint,
  { pool, now }: { pool: Pick<Pool, 'loanToken' | 'floating'>; now: number },
  { reading }: Pick<RatesTexts['curve'], 'reading'>,
  formats: Formats,
): string {
  const { loanToken: token, floating } = pool
  const price = { notional, cost, from: now, expiry }
  const { difference } = compareAtRate(price, floating.ratePerSec)
  const isFirm = kind === 'firm'
  const size = difference < 0n ? -difference : difference
  const amount = (isFirm ? formats.amount : formats.estimate)(size, token)
  const paid = formats.withSymbol((isFirm ? formats.cost : formats.estimate)(cost, token), token)
  const against = difference === 0n ? reading.same : (difference > 0n ? reading.more : reading.less)(amount)
  const line = reading[kind](formats.day(expiry), formats.rate(effectiveApy, isFirm ? 2 : 1), paid, against)
  return median === null ? line : reading.median(line, formats.rate(median, 1))
}
