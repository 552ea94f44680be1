import { hashQuote, interestRatePoolAbi, type QuoteMarketQuote } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { parseEventLogs, type TransactionReceipt } from 'viem'
import { exampleOutstanding } from './exampleOutstanding.ts'

/** Signs and takes quotes on a devnet, as its first borrower. */
export function createTaker(devnet: Devnet) {
  const { chainId, contracts, pools, backers, publicClient } = devnet
  const domain = { chainId, quoteMarket: contracts.quoteMarket }
  const wallet = devnet.walletClient(devnet.borrowers[0])

  /** Sends the transaction that takes a new quote of a backer. */
  async function send(backer: 0 | 1, { series = 0, ...terms }: { series?: number } & Partial<QuoteMarketQuote>) {
    const [pool] = pools
    const { timestamp } = await publicClient.getBlock()
    const { quote } = exampleOutstanding({
      maker: backers[backer].address,
      poolId: pool.poolId,
      seriesKey: pool.series[series]?.seriesKey ?? pool.poolId,
      notional: 1_000_000_000n,
      vrtAmount: 10_000_001n,
      deadline: timestamp + 3_600n,
      ...terms,
    })
    const client = new ServiceClient({
      orderbookUrl: 'http://localhost:1',
      chainId,
      quoteMarketAddress: contracts.quoteMarket,
      interestRatePoolAddress: contracts.interestRatePool,
    })
    client.setPrivateKey(backers[backer].privateKey)
    const { signature } = await client.signQuoteMarketQuote(quote)
    const transactionHash = await wallet.writeContract({
      ...takeQuoteParameters({ ...quote, signature }),
      gas: 900_000n,
    })
    return { hash: hashQuote(quote, domain), quote, transactionHash }
  }

  return {
    send,
    /** Takes it, and waits until that is part of a block. */
    async take(backer: 0 | 1, terms: Parameters<typeof send>[1] = {}) {
      const sent = await send(backer, terms)
      const receipt = await publicClient.waitForTransactionReceipt({ hash: sent.transactionHash })
      return { ...sent, receipt, positionId: positionOf(receipt) }
    },
  }
}

function positionOf({ logs }: TransactionReceipt): bigint {
  const [opened] = parseEventLogs({ abi: interestRatePoolAbi, logs, eventName: 'PositionOpened' })
  if (!opened) throw new TypeError('No position was opened.')
  return opened.args.positionId
}
