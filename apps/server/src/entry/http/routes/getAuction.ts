import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import { ProblemError } from '../responses/problem.ts'

export const handleGetAuction = handle(endpoints.getAuction, ({ service: { hub } }) => async ({ parameters }) => {
  const result = await hub.find(parameters.rfqId)
  if (!result) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
  return result
})
