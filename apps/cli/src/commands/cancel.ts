import { hashQuote } from '@firmquote/core'
import { cancelQuoteParameters } from '@firmquote/sdk'
import { isAddressEqual } from 'viem'
import { type ChainOptions, connectChain, connectService, requireRpcUrl, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { NotExecutableError, UsageError } from '../errors.ts'
import { type AccountOptions, loadAccount } from '../loadAccount.ts'
import { parseHash } from '../parseHash.ts'
import { sendTransaction } from '../sendTransaction.ts'

/** Options of `firmquote cancel`. */
export type CancelOptions = ServiceOptions & ChainOptions & AccountOptions

/**
 * Cancels a quote on-chain, as its maker.
 *
 * @throws {UsageError} if the key is not the maker's.
 * @throws {NotExecutableError} `QUOTE_NOT_ACTIVE` if the quote is not active.
 */
export async function cancel(context: Context, text: string, options: CancelOptions): Promise<void> {
  const hash = parseHash(text)
  const account = await loadAccount(context, options)
  const rpcUrl = requireRpcUrl(context, options)
  const client = connectService(context, options)
  const { chainId, quoteMarketAddress } = client.getConfig()
  const { quote, status } = await client.getQuoteMarketQuote(hash, { signal: context.signal })
  if (hashQuote(quote, { chainId, quoteMarket: quoteMarketAddress }) !== hash) {
    throw new NotExecutableError('CHECKS_FAILED', 'The quote that the service returned does not have this hash.')
  }
  if (!isAddressEqual(quote.maker, account.address)) {
    throw new UsageError(`The quote's maker is ${quote.maker}, but the key belongs to ${account.address}.`)
  }
  if (status !== 'active') throw new NotExecutableError('QUOTE_NOT_ACTIVE', `The quote is not active: ${status}.`)
  const chain = await connectChain(rpcUrl, chainId)
  const receipt = await sendTransaction(chain, rpcUrl, account, cancelQuoteParameters(quote, { quoteMarketAddress }), {
    ...context,
    onSent: (sent) => {
      if (!options.json) context.write(`Sent ${sent}, waiting for it to be mined.\n`)
    },
  })
  const { transactionHash, blockNumber } = receipt
  show(context, options.json, { hash, transactionHash, blockNumber }, () =>
    context.style.good(`The quote was cancelled in block ${blockNumber}.`),
  )
}
