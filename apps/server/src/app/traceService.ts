import { publicRfqId } from '../domain/rfqIds.ts'
import type { Span, Tracing } from '../ports/tracing.ts'
import type { FollowedAuction } from './auctions/localAuction.ts'
import type { Service } from './service.ts'

/** Wraps a service to trace auction openings as spans, and events sent to borrowers as span events. */
export function traceService(service: Service, tracing: Tracing): Service {
  const { hub } = service
  const traced = (auction: FollowedAuction): FollowedAuction => {
    const span = tracing.current()
    return span ? traceEvents(auction, span) : auction
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
        return outcome.ok ? { ...outcome, value: traced(outcome.value) } : outcome
      },
      async follow(rfqId) {
        const auction = await hub.follow(rfqId)
        return auction && traced(auction)
      },
    },
  }
}

function factsOf({ rfq, backers }: FollowedAuction) {
  return {
    // The borrower's ID grants access to the result, so spans contain only the public ID.
    'firmquote.rfq.id': publicRfqId(rfq.rfqId),
    'firmquote.pool.id': rfq.poolId,
    'firmquote.series.key': rfq.seriesKey,
    'firmquote.backers': backers,
  }
}

function traceEvents(auction: FollowedAuction, span: Span): FollowedAuction {
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
