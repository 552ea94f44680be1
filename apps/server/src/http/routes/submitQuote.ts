import { endpoints } from '@firmquote/core/endpoints'
import { refusal } from '../answers/problem.ts'
import { handle, sendAnswer } from '../handle.ts'

const { submitQuote } = endpoints

export const handleSubmitQuote = handle(submitQuote, ({ service: { book } }) => async ({ body }, _req, res) => {
  const outcome = await book.submit(body)
  if (!outcome.ok) throw refusal(outcome.rejection)
  const { created, record } = outcome.value
  return created
    ? sendAnswer(res, submitQuote, 201, record, { Location: `/api/v1/quotes/${record.hash}` })
    : sendAnswer(res, submitQuote, 200, record)
})
