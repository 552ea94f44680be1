import { describeRejection, quoteMarketAbi, rejectionDetails } from '@firmquote/core'
import { bytes32, decode, quoteFiltersShape, signedQuoteShape } from '@firmquote/core/wire'
import type { Express, Request, Response } from 'express'
import { encodeFunctionData, type Hex } from 'viem'
import { allow } from '../answers/allow.ts'
import { encodeQuotePage } from '../answers/encodeQuotePage.ts'
import { ProblemError } from '../answers/problem.ts'
import { noQuery, sendJson, sendJsonText } from '../answers/sendJson.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { readBody, readParameter, readQuery } from '../readRequest.ts'
import { takeJson } from '../takeJson.ts'

/** The store of signed quotes. */
export function addQuoteRoutes(app: Express, door: HttpDoor): void {
  const { book, config } = door.service

  app
    .route('/api/v1/quotes')
    .get(async (req, res) =>
      sendJsonText(res, 200, encodeQuotePage(await book.listTexts(readQuery(req, quoteFiltersShape)))),
    )
    .post(takeJson(config.limits.bodyBytes), async (req: Request, res: Response) => {
      readQuery(req, noQuery)
      const outcome = await book.submit(readBody(req, signedQuoteShape))
      if (!outcome.ok) {
        const { rejection } = outcome
        const details = rejectionDetails(rejection)
        throw new ProblemError({
          code: rejection.code,
          detail: describeRejection(rejection),
          ...(Object.keys(details).length > 0 && { details }),
        })
      }
      const { created, record } = outcome.value
      if (created) sendJson(res, 201, record, { Location: `/api/v1/quotes/${record.hash}` })
      else sendJson(res, 200, record)
    })
    .all(allow('GET, POST'))

  app
    .route('/api/v1/quotes/:hash')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const record = await book.find(readParameter(req, 'hash', bytes32))
      if (!record) throw new ProblemError({ code: 'QUOTE_NOT_FOUND', detail: 'There is no quote with this hash.' })
      sendJson(res, 200, record)
    })
    .delete(async (req) => {
      throw await explainCancellation(door, req.params['hash'])
    })
    .all(allow('GET'))
}

/** A quote lives on the chain: only its maker can end it there (specification, section 7). */
async function explainCancellation({ service, domain, log }: HttpDoor, hash: unknown): Promise<ProblemError> {
  const decoded = decode(bytes32, hash)
  let cancelQuote: Hex | undefined
  try {
    const record = decoded.ok ? await service.book.find(decoded.value) : null
    if (record) {
      const { signature: _, ...quote } = record.quote
      cancelQuote = encodeFunctionData({ abi: quoteMarketAbi, functionName: 'cancelQuote', args: [quote] })
    }
  } catch (err) {
    // The answer is 405 whatever the store says; only the ready-made call is missing then.
    log.warn({ err }, 'a quote could not be read for its cancellation')
  }
  return new ProblemError({
    code: 'METHOD_NOT_ALLOWED',
    detail:
      "A quote is cancelled on-chain, by its maker: send QuoteMarket.cancelQuote for this quote, or raiseNonce to end every quote with the maker's current nonce. `details` carries both as calldata where they are known.",
    details: {
      chainId: domain.chainId,
      to: domain.quoteMarket,
      ...(cancelQuote && { cancelQuote }),
      raiseNonce: encodeFunctionData({ abi: quoteMarketAbi, functionName: 'raiseNonce' }),
    },
    headers: { Allow: 'GET' },
  })
}
