import { endpoints } from '@firmquote/core/endpoints'
import { answered, handle } from '../handle.ts'
import { streamAuction } from '../responses/eventStream.ts'
import { openAuction } from './openAuction.ts'

export const handleStreamQuotes = handle(endpoints.streamQuotes, (context) => async ({ body, headers }, req, res) => {
  streamAuction(res, await openAuction(context, body, req, headers), context)
  return answered
})
