import { BaseError, type RFQRequest, type RFQResult } from '@firmquote/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useHashLocation } from 'wouter/use-hash-location'
import { auctionHref } from '../../routes.ts'
import { auctionKey, startAuction } from '../../service/auctions.ts'
import { tabStorage } from '../../service/browserStorage.ts'
import { serverNow } from '../../service/serverClock.ts'
import { useService } from '../../service/serviceContext.ts'
import { findProof, forgetProof } from '../../service/takerProofs.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { rememberAuction } from './recentAuctions.ts'

/** A way to open an auction, and how the last try is doing. */
export type AuctionStart = { start: (request: RFQRequest) => void; busy: boolean; error: Error | null }

/** Opens an auction and goes to it, in the place of the page that asked; unless the visitor has left that page meanwhile. */
export function useStartAuction(): AuctionStart {
  const { client } = useService()
  const cache = useQueryClient()
  const [, navigate] = useHashLocation()
  const announce = useAnnounce()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (request: RFQRequest) => {
      const rfqId = await startAuction(client, cache, withProof(request))
      const auction = cache.getQueryData<RFQResult>(auctionKey(rfqId))
      if (auction) {
        rememberAuction(tabStorage, auction)
        announce(describeStart(auction))
      }
      return rfqId
    },
    onError: (failure, { taker }) => {
      // The next try is one without it.
      if (taker && failure instanceof BaseError && failure.code === 'TAKER_PROOF_INVALID') forgetProof(taker)
    },
  })
  const start = (request: RFQRequest) =>
    mutate(request, { onSuccess: (rfqId) => navigate(auctionHref(rfqId), { replace: true }) })
  return { start, busy: isPending, error }
}

/** An account that has proven itself asks as who it is. */
function withProof(request: RFQRequest): RFQRequest {
  const takerProof = request.taker && findProof(request.taker, serverNow())
  return takerProof ? { ...request, takerProof } : request
}

function describeStart({ backers, openedAt, closesAt }: RFQResult): string {
  const asked = backers === 1 ? 'One backer has' : `${backers} backers have`
  return `The auction has started. ${asked} ${Math.round((closesAt - openedAt) / 1000)} seconds to answer.`
}
