import { endpoints } from '@firmquote/core/endpoints'
import { streamAuction } from '../answers/eventStream.ts'
import { answered, handle } from '../handle.ts'
import { openAuction } from './openAuction.ts'

export const handleStreamQuotes = handle(endpoints.streamQuotes, (door) => async ({ body, headers }, req, res) => {
  streamAuction(res, await openAuction(door, body, req, headers), door)
  return answered
})
