import { type Address, getAddress, type Hex } from 'viem'
import { auctionHref, makerHref, pages, positionHref, quoteHref } from '../../routes.ts'

/** The likely meaning of an unknown address, and its link. */
export type Guess =
  | { kind: 'auction' | 'quote' | 'position' | 'account'; href: string }
  | { kind: 'page'; href: string; name: (typeof pages)[number]['name'] }

/**
 * Recognizes an id in an unknown path, such as a pasted hash, or a page whose name begins or ends differently. Pure.
 *
 * @param path The path in the fragment, without its query.
 */
export function guessAddress(path: string): Guess | null {
  const [quote] = /0x[0-9a-f]{64}(?![0-9a-f])/i.exec(path) ?? []
  if (quote) return { kind: 'quote', href: quoteHref(quote.toLowerCase() as Hex) }
  const [account] = /0x[0-9a-f]{40}(?![0-9a-f])/i.exec(path) ?? []
  if (account) return { kind: 'account', href: makerHref(getAddress(account.toLowerCase() as Address)) }
  const [auction] = /(?<![0-9a-fx])[0-9a-f]{32}(?![0-9a-f])/i.exec(path) ?? []
  if (auction) return { kind: 'auction', href: auctionHref(auction.toLowerCase()) }
  const [, position] = /\/([1-9][0-9]{0,19})(?:\/|$)/.exec(path) ?? []
  if (position) return { kind: 'position', href: positionHref(BigInt(position)) }
  const [, word = ''] = /^\/?([a-z]{3,})/.exec(path.toLowerCase()) ?? []
  const page = pages.find(({ path: known }) => {
    const name = known.slice(1)
    return word !== '' && name !== '' && (name.startsWith(word) || word.startsWith(name))
  })
  return page ? { kind: 'page', href: `#${page.path}`, name: page.name } : null
}
