import type { Token } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { quoteHref } from '../../routes.ts'
import { Amount, Time } from '../../ui/figures.tsx'
import type { RateAtSize } from './rateAtSize.ts'

/** Shows the amount that a price is for, and the basis of an estimate. */
export function PriceNote({ price, token }: { price: RateAtSize; token: Token }) {
  const { texts, formats } = useWords()
  const words = texts.home.price
  if (price.kind === 'firm') {
    return (
      <>
        {words.firm(formats.withSymbol(formats.exact(price.notional, token), token))}{' '}
        <a href={quoteHref(price.hash)}>{words.review}</a>
      </>
    )
  }
  const { from, notional, at } = price.basis
  const of = <Amount value={notional} token={token} />
  return words.estimate(
    <Amount value={price.notional} token={token} />,
    from === 'offer' ? words.fromOffer(of) : words.fromAuction(of, <Time at={at * 1000} />),
  )
}
