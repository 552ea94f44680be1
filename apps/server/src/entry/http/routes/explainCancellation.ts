import { quoteMarketAbi } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { bytes32, decode } from '@firmquote/core/wire'
import { encodeFunctionData, type Hex } from 'viem'
import { handle } from '../handle.ts'
import { ProblemError } from '../responses/problem.ts'

export const handleExplainCancellation = handle(
  endpoints.explainCancellation,
  ({ service, domain, log }) =>
    async ({ parameters }) => {
      const decoded = decode(bytes32, parameters.hash)
      let cancelQuote: Hex | undefined
      try {
        const record = decoded.ok ? await service.book.find(decoded.value) : null
        if (record) {
          const { signature: _, ...quote } = record.quote
          cancelQuote = encodeFunctionData({ abi: quoteMarketAbi, functionName: 'cancelQuote', args: [quote] })
        }
      } catch (err) {
        // The answer is 405 whatever the store says; only the calldata of cancelQuote is missing then.
        log.warn({ err }, 'a quote could not be read for its cancellation')
      }
      throw new ProblemError({
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
    },
)
