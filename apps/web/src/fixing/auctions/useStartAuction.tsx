import { auctionQuery, useStartAuction as useOpenAuction, useService } from '@firmquote/react'
import type { RFQRequest } from '@firmquote/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useHashLocation } from 'wouter/use-hash-location'
import { useTexts } from '../../copy/words.ts'
import { auctionHref } from '../../routes.ts'
import { tabStorage } from '../../service/browserStorage.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { rememberAuction } from './recentAuctions.ts'
import { whenClosed } from './whenClosed.ts'

/** A function that opens an auction, and the state of its last attempt. */
export type AuctionStart = { start: (request: RFQRequest) => void; busy: boolean; error: Error | null }

/**
 * Opens an auction and navigates to it unless the visitor has left the page. If the visitor is on another page when the
 * auction closes, a notification announces the close.
 *
 * @param options.replace Whether to replace the requesting page in the browser history, so that going back does not
 * open another auction.
 */
export function useStartAuction({ replace }: { replace: boolean }): AuctionStart {
  const [, navigate] = useHashLocation()
  const announce = useAnnounce()
  const { client } = useService()
  const cache = useQueryClient()
  const tell = useToast()
  const { said, live } = useTexts().auction
  const { mutateAsync, isPending, error } = useOpenAuction()
  const start = (request: RFQRequest) => {
    const opened = mutateAsync(request, {
      onSuccess: ({ rfqId }) => navigate(auctionHref(rfqId), { replace }),
    })
    // Runs even if the visitor has left the page. Failures are in `error`.
    opened.then(
      (auction) => {
        rememberAuction(tabStorage, auction)
        announce(said.started(auction.backers, Math.round((auction.closesAt - auction.openedAt) / 1000)))
        const href = auctionHref(auction.rfqId)
        whenClosed(cache, auctionQuery(client, auction.rfqId).queryKey, () => {
          if (location.hash.startsWith(href)) return
          tell({ name: auction.rfqId, title: live.news, tone: 'good', children: <a href={href}>{live.see}</a> })
        })
      },
      () => {},
    )
  }
  return { start, busy: isPending, error }
}
