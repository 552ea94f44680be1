import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import { ProblemError } from '../responses/problem.ts'

export const handleGetQuote = handle(endpoints.getQuote, ({ service: { book } }) => async ({ parameters }) => {
  const record = await book.find(parameters.hash)
  if (!record) throw new ProblemError({ code: 'QUOTE_NOT_FOUND', detail: 'There is no quote with this hash.' })
  return record
})
