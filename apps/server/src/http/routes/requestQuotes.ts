import { endpoints } from '@firmquote/core/endpoints'
import { answered, handle } from '../handle.ts'
import { openAuction } from './openAuction.ts'

export const handleRequestQuotes = handle(
  endpoints.requestQuotes,
  ({ service }) =>
    async ({ body, headers }, req, res) => {
      const auction = await openAuction(service, body, req, headers['Idempotency-Key'])
      const result = await auction.result()
      return res.closed ? answered : result
    },
)
