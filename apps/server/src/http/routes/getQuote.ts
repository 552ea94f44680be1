import { endpoints } from '@firmquote/core/endpoints'
import { ProblemError } from '../answers/problem.ts'
import { handle } from '../handle.ts'

export const handleGetQuote = handle(endpoints.getQuote, ({ service: { book } }) => async ({ parameters }) => {
  const record = await book.find(parameters.hash)
  if (!record) throw new ProblemError({ code: 'QUOTE_NOT_FOUND', detail: 'There is no quote with this hash.' })
  return record
})
