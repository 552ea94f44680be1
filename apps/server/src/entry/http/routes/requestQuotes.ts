import { endpoints } from '@firmquote/core/endpoints'
import { answered, handle } from '../handle.ts'
import { openAuction } from './openAuction.ts'

export const handleRequestQuotes = handle(endpoints.requestQuotes, (context) => async ({ body, headers }, req, res) => {
  const auction = await openAuction(context, body, req, headers)
  // A client that waits for the result follows the auction until its connection closes.
  const leave = auction.listen({ event: () => {}, end: () => {} })
  if (res.closed) leave()
  else res.once('close', leave)
  const result = await auction.result()
  return res.closed ? answered : result
})
