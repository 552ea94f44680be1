import type { Token } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { TermPrice } from '../offers/termPrices.ts'

/** Explains why the whole amount cannot be fixed in a term. Renders nothing if it can. */
export function FixableNote({ term: { series, fixable }, token }: { term: TermPrice; token: Token }) {
  const { texts, formats } = useWords()
  const { terms } = texts.home
  const day = formats.day(series.expiry)
  if (fixable.limit === undefined) return null
  return (
    <Notice tone="warning">
      <p>
        {fixable.limit === 'least'
          ? terms.least(<Amount cost value={series.minNotional ?? 1n} token={token} />, day)
          : fixable.amount === 0n
            ? terms.full(day)
            : terms.most(<Amount value={fixable.amount} token={token} />, day)}
      </p>
    </Notice>
  )
}
