import { publicRfqId } from '../domain/rfqIds.ts'
import type { Span, Tracing } from '../ports/tracing.ts'
import type { FollowedAuction } from './auctions/localAuction.ts'
import type { Service } from './service.ts'

/** Wraps a service so that the opening of an auction is a step of its request, and what its borrower is told are events of it. */
export function traceService(service: Service, tracing: Tracing): Service {
  const { hub } = service
  const told = (auction: FollowedAuction): FollowedAuction => {
    const span = tracing.current()
    return span ? tellsOf(auction, span) : auction
  }

  return {
    ...service,
    hub: {
      ...hub,
      async open(request, requester) {
        const outcome = await tracing.step('open auction', async (span) => {
          const opened = await hub.open(request, requester)
          if (!opened.ok) span?.fail(opened.rejection.code)
          else span?.set(factsOf(opened.value))
          return opened
        })
        return outcome.ok ? { ...outcome, value: told(outcome.value) } : outcome
      },
      async follow(rfqId) {
        const auction = await hub.follow(rfqId)
        return auction && told(auction)
      },
    },
  }
}

function factsOf({ rfq, backers }: FollowedAuction) {
  return {
    // The borrower's own id opens the result.
    'firmquote.rfq.id': publicRfqId(rfq.rfqId),
    'firmquote.pool.id': rfq.poolId,
    'firmquote.series.key': rfq.seriesKey,
    'firmquote.backers': backers,
  }
}

function tellsOf(auction: FollowedAuction, span: Span): FollowedAuction {
  return {
    ...auction,
    listen: (listener, after) =>
      auction.listen(
        {
          event(event) {
            span.event(event.type)
            listener.event(event)
          },
          end: () => listener.end(),
        },
        after,
      ),
  }
}
