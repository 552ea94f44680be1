import { quoteMarketAbi } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { bytes32, decode } from '@firmquote/core/wire'
import { encodeFunctionData, type Hex } from 'viem'
import { networksOf } from '../../limitConnections.ts'
import { answered, handle, sendAnswer } from '../handle.ts'
import { sendJsonText } from '../responses/answer.ts'
import { encodeQuotePage } from '../responses/encodeQuotePage.ts'
import { ProblemError, refusal } from '../responses/problem.ts'

/** Published quotes. */
export const quoteRoutes = {
  submitQuote: handle(endpoints.submitQuote, ({ service: { book } }) => async ({ body }, req, res) => {
    const outcome = await book.submit(body, networksOf(req.ip).address)
    if (!outcome.ok) {
      const { rejection } = outcome
      throw refusal(rejection, 'retryAfterSeconds' in rejection ? rejection.retryAfterSeconds : undefined)
    }
    const { created, record } = outcome.value
    return created
      ? sendAnswer(res, endpoints.submitQuote, 201, record, { Location: `/api/v1/quotes/${record.hash}` })
      : sendAnswer(res, endpoints.submitQuote, 200, record)
  }),

  /** Concatenates the quotes' stored texts, because encoding them again would cost more than everything else. */
  listQuotes: handle(endpoints.listQuotes, ({ service: { book } }) => async ({ query }, _req, res) => {
    sendJsonText(res, 200, encodeQuotePage(await book.listTexts(query)))
    return answered
  }),

  listObservations: handle(endpoints.listObservations, ({ service: { book } }) => async ({ query }) => ({
    quotes: await book.observations(query),
  })),

  getQuote: handle(endpoints.getQuote, ({ service: { book } }) => async ({ parameters }) => {
    const record = await book.find(parameters.hash)
    if (!record) throw new ProblemError({ code: 'QUOTE_NOT_FOUND', detail: 'There is no quote with this hash.' })
    return record
  }),

  explainCancellation: handle(endpoints.explainCancellation, ({ service, domain, log }) => async ({ parameters }) => {
    const decoded = decode(bytes32, parameters.hash)
    let cancelQuote: Hex | undefined
    try {
      const record = decoded.ok ? await service.book.find(decoded.value) : null
      if (record) {
        const { signature: _, ...quote } = record.quote
        cancelQuote = encodeFunctionData({ abi: quoteMarketAbi, functionName: 'cancelQuote', args: [quote] })
      }
    } catch (err) {
      // The response is 405 either way; without the quote, it only lacks the calldata of `cancelQuote`.
      log.warn({ err }, 'failed to read a quote to be cancelled')
    }
    throw new ProblemError({
      code: 'METHOD_NOT_ALLOWED',
      detail:
        "Only its maker can cancel a quote, on-chain: call QuoteMarket.cancelQuote for this quote, or raiseNonce to end all quotes with the maker's current nonce. `details` contains the calldata of both, if known.",
      details: {
        chainId: domain.chainId,
        to: domain.quoteMarket,
        ...(cancelQuote && { cancelQuote }),
        raiseNonce: encodeFunctionData({ abi: quoteMarketAbi, functionName: 'raiseNonce' }),
      },
      headers: { Allow: 'GET' },
    })
  }),
}
