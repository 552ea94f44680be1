import { type BaseError, InvalidResponseError, type RFQRequest, type RFQResult, toRfqId } from '@firmquote/sdk'
import { type UseMutationResult, type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { auctionKey, followAuction, startAuction } from './auctions.ts'
import type { AuctionState } from './foldAuction.ts'
import { auctionQuery } from './queries.ts'
import { serverNow } from './serverClock.ts'
import { useService } from './serviceContext.ts'
import { deleteRefusedProof, findProof } from './takerProofs.ts'
import { type QueryParameter, useServiceQuery } from './useServiceQuery.ts'

/**
 * Follows an auction. `data` contains the auction's quotes, best first, and updates with each stream event. Its
 * `progress` counts the makers that have answered. Works for auctions that were opened elsewhere or before a reload. If
 * the stream cannot be resumed, the hook polls every second.
 *
 * @param parameters.rfqId The secret id. Undefined disables the query. An unknown id results in an `error`, which
 * {@link isUnknownAuction} recognizes.
 * @example
 * ```tsx
 * const { data: auction } = useAuction({ rfqId })
 * const best = auction?.quotes[0] // `apr` and `effectiveApy` in percent, `quote` is signed
 * const { data: count } = useAuction({ rfqId, query: { select: ({ quotes }) => quotes.length } })
 * ```
 */
export function useAuction<Selected = AuctionState>({
  rfqId,
  query,
}: { rfqId?: string | undefined } & QueryParameter<AuctionState, Selected>): UseQueryResult<Selected, BaseError> {
  const { client } = useService()
  const cache = useQueryClient()
  const isEnabled = rfqId !== undefined && query?.enabled !== false
  const auction = useServiceQuery(auctionQuery(client, rfqId ?? ''), query, isEnabled)
  const { isSuccess } = auction
  useEffect(() => {
    if (!isEnabled || !isSuccess) return
    const { status } = cache.getQueryData<AuctionState>(auctionKey(rfqId)) ?? {}
    if (status === 'open') followAuction(client, cache, toRfqId(rfqId))
  }, [isEnabled, isSuccess, client, cache, rfqId])
  return auction
}

/**
 * Opens an auction and follows it, even after the component unmounts. `data` is the auction's state when it opened.
 * Pass the result's `rfqId` to {@link useAuction}. The request includes the taker's proof if the account has one
 * ({@link useProveTaker}) with the same `shareRecord`. If the service rejects the proof, or the proof's quota is used up,
 * the hook deletes it. The next attempt then sends none, unless the account signs another one.
 *
 * For errors, see the SDK's `streamQuotes`.
 *
 * @example
 * ```tsx
 * const { mutate, data, error, isPending } = useStartAuction()
 *
 * <button onClick={() => mutate({ poolId, expiry, notional: 250_000_000_000n, taker: address })}>Ask</button>
 * ```
 */
export function useStartAuction(): UseMutationResult<RFQResult, BaseError, RFQRequest> {
  const { client } = useService()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (request: RFQRequest) => {
      const rfqId = await startAuction(client, cache, withProof(request))
      const auction = cache.getQueryData<RFQResult>(auctionKey(rfqId))
      if (!auction) throw new InvalidResponseError('The stream does not begin with its auction.')
      return auction
    },
    onError: (failure, request) => deleteRefusedProof(request, failure.code),
  })
}

function withProof(request: RFQRequest): RFQRequest {
  const { taker, shareRecord } = request
  const takerProof = taker && findProof({ taker, shareRecord }, serverNow())
  return takerProof ? { ...request, takerProof } : request
}
