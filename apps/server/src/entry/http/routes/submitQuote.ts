import { endpoints } from '@firmquote/core/endpoints'
import { networksOf } from '../../networksOf.ts'
import { handle, sendAnswer } from '../handle.ts'
import { refusal } from '../responses/problem.ts'

const { submitQuote } = endpoints

export const handleSubmitQuote = handle(submitQuote, ({ service: { book } }) => async ({ body }, req, res) => {
  const outcome = await book.submit(body, networksOf(req.ip).address)
  if (!outcome.ok) {
    const { rejection } = outcome
    throw refusal(rejection, 'retryAfterSeconds' in rejection ? rejection.retryAfterSeconds : undefined)
  }
  const { created, record } = outcome.value
  return created
    ? sendAnswer(res, submitQuote, 201, record, { Location: `/api/v1/quotes/${record.hash}` })
    : sendAnswer(res, submitQuote, 200, record)
})
