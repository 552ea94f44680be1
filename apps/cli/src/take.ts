import { type CollectedQuote, interestRatePoolAbi } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { type ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { isAddressEqual, parseEventLogs } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ConnectedChain } from './connect.ts'
import type { Context } from './context.ts'
import { showAmount, showRate, type Token } from './format/show.ts'
import { sendTransaction } from './sendTransaction.ts'

/** What is needed to take a quote. */
export type TakeParts = {
  chain: ConnectedChain
  rpcUrl: string
  account: PrivateKeyAccount
  best: CollectedQuote
  client: ServiceClient
  token: Token
  json: boolean | undefined
}

/**
 * Takes a quote on-chain, for at most its own cost, and prints the position that was opened.
 *
 * @throws what `sendTransaction` throws.
 */
export async function take(context: Context, parts: TakeParts): Promise<void> {
  const { chain, rpcUrl, account, best, client, token, json } = parts
  const { quoteMarketAddress, interestRatePoolAddress } = client.getConfig()
  const call = takeQuoteParameters(best.quote, { quoteMarketAddress, maxCost: best.quote.vrtAmount })
  const receipt = await sendTransaction(chain, rpcUrl, account, call, {
    ...context,
    onSent: (transactionHash) =>
      context.write(
        json
          ? `${encodeJson({ type: 'sent', data: { transactionHash } })}\n`
          : `Sent ${transactionHash}, waiting for its block.\n`,
      ),
  })
  const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, interestRatePoolAddress))
  const [opened] = parseEventLogs({ abi: interestRatePoolAbi, logs, eventName: 'PositionOpened' })
  const { transactionHash, blockNumber } = receipt
  const position = opened && {
    positionId: opened.args.positionId,
    notional: opened.args.notional,
    cost: opened.args.cost,
  }
  if (json) {
    context.write(`${encodeJson({ type: 'taken', data: { transactionHash, blockNumber, ...position } })}\n`)
    return
  }
  const what = position
    ? `Position ${position.positionId} is open in block ${blockNumber}: ${showAmount(position.notional, token)} fixed at ${showRate(best.apr)} APR for ${showAmount(position.cost, token)}.`
    : `The quote is taken in block ${blockNumber}.`
  context.write(`${context.style.good(what)}\n`)
}
