import { quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import type { Address, Client, Hex, TransactionReceipt } from 'viem'
import { getContractEvents, getTransactionReceipt } from 'viem/actions'
import { ChainUnavailableError } from '../coreErrors.ts'
import { fillsOf, type JobContracts } from './fillsOf.ts'
import type { AskedQuote, Fill } from './job.ts'

/** The fate of quotes that an account asked for. A quote that is in neither list may still be filled. */
export type Outcome = {
  fills: readonly Fill[]
  gone: readonly Hex[]
  block: bigint
  /** The fills' transactions. */
  receipts: readonly TransactionReceipt[]
}

/**
 * Reads the fate of quotes that an account asked for: its fills, and the quotes that can never be filled for it.
 *
 * @param given.signed The signed quotes by hash. A quote that it lacks stays undecided.
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readOutcome(
  client: Client,
  quotes: readonly AskedQuote[],
  given: JobContracts & { account: Address; signed: ReadonlyMap<Hex, SignedQuote> },
): Promise<Outcome> {
  const { quoteMarketAddress: quoteMarket, interestRatePoolAddress: interestRatePool, account, signed } = given
  const known = quotes.flatMap(({ hash }) => {
    const quote = signed.get(hash)
    return quote ? [{ quote, hash, signer: null, preview: false }] : []
  })
  try {
    const { block, states } = await readQuoteStates(client, { quoteMarket, interestRatePool, quotes: known })
    const filled = states.filter(({ status }) => status === 'filled').map(({ hash }) => hash)
    const events = filled.length > 0 ? await readFills(client, quotes, { ...given, filled, block: block.number }) : []
    const own = events.filter(({ args }) => args.taker?.toLowerCase() === account.toLowerCase())
    const receipts = await Promise.all(
      [...new Set(own.map(({ transactionHash }) => transactionHash))].map((hash) =>
        getTransactionReceipt(client, { hash }),
      ),
    )
    const isDead = ({ hash, status, makerNonce }: (typeof states)[number]) => {
      const quote = signed.get(hash)
      if (status === 'open')
        return quote !== undefined && (quote.nonce < makerNonce || quote.deadline < block.timestamp)
      return (
        status === 'cancelled' ||
        events.some(({ args }) => args.hash === hash && !own.some((one) => one.args.hash === hash))
      )
    }
    return {
      // A transaction may also take quotes that were not asked for.
      fills: receipts
        .flatMap((receipt) => fillsOf(receipt, given, account))
        .filter(({ hash }) => filled.includes(hash)),
      gone: states.filter(isDead).map(({ hash }) => hash),
      block: block.number,
      receipts,
    }
  } catch (cause) {
    throw new ChainUnavailableError('Failed to read the outcome of the quotes.', { cause })
  }
}

function readFills(
  client: Client,
  quotes: readonly AskedQuote[],
  { quoteMarketAddress: address, filled, block }: JobContracts & { filled: readonly Hex[]; block: bigint },
) {
  const [fromBlock = block] = quotes.map(({ since }) => since).sort((one, other) => (one < other ? -1 : 1))
  return getContractEvents(client, {
    ...{ address, abi: quoteMarketAbi, eventName: 'QuoteFilled', fromBlock, toBlock: block },
    args: { hash: [...filled] },
  })
}
