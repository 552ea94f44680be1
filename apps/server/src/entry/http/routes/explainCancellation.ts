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
        // The response is 405 in any case; only the calldata of `cancelQuote` is missing.
        log.warn({ err }, 'failed to read a quote for its cancellation')
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
    },
)
