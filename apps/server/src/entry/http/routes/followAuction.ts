import { endpoints } from '@firmquote/core/endpoints'
import { answered, handle } from '../handle.ts'
import { streamAuction } from '../responses/eventStream.ts'
import { invalidRequest, ProblemError } from '../responses/problem.ts'

export const handleFollowAuction = handle(
  endpoints.followAuction,
  (context) =>
    async ({ parameters: { rfqId }, headers }, _req, res) => {
      const last = headers['Last-Event-ID']
      if (last && last.rfqId !== rfqId) {
        throw invalidRequest(
          [{ path: 'Last-Event-ID', message: 'is the ID of an event of another auction' }],
          'A header is invalid',
        )
      }
      const auction = await context.service.hub.follow(rfqId)
      if (!auction) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
      streamAuction(res, auction, context, last?.seq)
      return answered
    },
)
