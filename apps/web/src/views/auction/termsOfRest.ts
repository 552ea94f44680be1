import { shareOfLimit } from '@firmquote/react'
import type { CollectedQuote, RFQResult } from '@firmquote/sdk'

/**
 * Returns the terms for another request: the unfixed part with its share of the limit, or the whole amount if none is
 * left. Amounts are in raw units. Pure.
 */
export function termsOfRest(
  { notional, maxVrtAmount }: Pick<RFQResult, 'notional' | 'maxVrtAmount'>,
  taken: readonly Pick<CollectedQuote, 'quote'>[],
): { notional: bigint; maxVrtAmount?: bigint } {
  const left = taken.reduce((rest, { quote }) => rest - quote.notional, notional)
  const asked = left > 0n ? left : notional
  return {
    notional: asked,
    ...(maxVrtAmount !== undefined && { maxVrtAmount: shareOfLimit(maxVrtAmount, asked, { notional }) }),
  }
}
