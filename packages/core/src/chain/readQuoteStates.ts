import { type Address, type Client, erc20Abi, type Hex, hexToString, zeroAddress } from 'viem'
import { getBlock, multicall } from 'viem/actions'
import { interestRatePoolAbi } from '../abi/interestRatePool.ts'
import { quoteMarketAbi } from '../abi/quoteMarket.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef, QuoteState } from '../judgeState.ts'
import type { SignedQuote } from '../quote.ts'
import { recoverSigner } from '../signature.ts'
import { hashQuote, type QuoteDomain } from '../typedData.ts'

/** Multicall3's address, the same on every chain that has it. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** What to read, and where. */
export type ReadQuoteStatesParameters = {
  domain: QuoteDomain
  interestRatePool: Address
  quotes: readonly SignedQuote[]
  /** Who would take them, for the preview; by default each quote's own taker. */
  borrower?: Address
  /** The block to read at; by default the latest. */
  block?: BlockRef
  /** Loan tokens of pools that are known already. A pool never changes its token; what is found is added. */
  loanTokens?: Map<Hex, Address>
}

/** The block that was read, and a state for each quote in their order. */
export type QuoteStates = { block: BlockRef; states: QuoteState[] }

/**
 * Reads all state that {@link judgeState} needs, for many quotes, at one block and in one multicall.
 *
 * @throws {ChainUnavailableError} when anything could not be read. Unknown is never fine.
 */
export async function readQuoteStates(client: Client, parameters: ReadQuoteStatesParameters): Promise<QuoteStates> {
  const { domain, interestRatePool, quotes, borrower, loanTokens = new Map<Hex, Address>() } = parameters
  try {
    const block = parameters.block ?? (await readLatestBlock(client))
    await readLoanTokens(client, { interestRatePool, quotes, block, loanTokens })
    const reads = await aggregate(
      client,
      block,
      quotes.flatMap((quote) => {
        const { signature, ...terms } = quote
        const market = { address: domain.quoteMarket, abi: quoteMarketAbi } as const
        const pool = { address: interestRatePool, abi: interestRatePoolAbi } as const
        // Without a pool there is no token to ask. The market's own nonces stand in, so that every quote has as many calls.
        const token = loanTokens.get(quote.poolId)
        const ask = borrower ?? quote.taker
        return [
          { ...market, functionName: 'nonces', args: [quote.maker] },
          { ...market, functionName: 'quoteStatus', args: [hashQuote(quote, domain)] },
          { ...market, functionName: 'previewTakeQuote', args: [terms, signature, ask] },
          { ...pool, functionName: 'series', args: [quote.seriesKey] },
          { ...pool, functionName: 'capacity', args: [quote.seriesKey] },
          ...(token
            ? [
                { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [quote.maker] },
                { address: token, abi: erc20Abi, functionName: 'allowance', args: [quote.maker, domain.quoteMarket] },
              ]
            : []),
        ]
      }),
    )
    let next = 0
    const take = <T>() => reads[next++] as T
    const states: QuoteState[] = []
    for (const quote of quotes) {
      const hash = hashQuote(quote, domain)
      const loanToken = loanTokens.get(quote.poolId) ?? null
      const makerNonce = take<bigint>()
      const status = take<number>()
      const [executable, reason, borrowerCost] = take<readonly [boolean, Hex, bigint, bigint]>()
      const [poolId, expiry, cap, outstanding] = take<readonly [Hex, bigint, bigint, bigint]>()
      const capacity = take<bigint>()
      const recovery = await recoverSigner(hash, quote.signature)
      const reasonText = hexToString(reason, { size: 32 })
      states.push({
        block,
        hash,
        makerNonce,
        status: status === 0 ? 'open' : status === 1 ? 'filled' : 'cancelled',
        loanToken,
        series: expiry === 0n ? null : { poolId, expiry: Number(expiry), cap, outstanding },
        capacity,
        balance: loanToken ? take<bigint>() : 0n,
        allowance: loanToken ? take<bigint>() : 0n,
        recovered: recovery.signer ?? null,
        // The contract looks at the signature before the maker's funds, so these reasons mean that it took it.
        acceptedByContract:
          executable || reasonText === 'INSUFFICIENT_BALANCE' || reasonText === 'INSUFFICIENT_ALLOWANCE',
        preview: { executable, reason: reasonText, borrowerCost },
      })
    }
    return { block, states }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('The chain could not be read.', { cause })
  }
}

/**
 * Reads the newest block.
 *
 * @throws whatever viem throws; callers turn it into a {@link ChainUnavailableError}.
 */
export async function readLatestBlock(client: Client): Promise<BlockRef> {
  const { number, hash, timestamp } = await getBlock(client, { blockTag: 'latest' })
  return { number, hash, timestamp }
}

async function readLoanTokens(
  client: Client,
  {
    interestRatePool,
    quotes,
    block,
    loanTokens,
  }: { interestRatePool: Address; quotes: readonly SignedQuote[]; block: BlockRef; loanTokens: Map<Hex, Address> },
): Promise<void> {
  const unknown = [...new Set(quotes.map((quote) => quote.poolId))].filter((poolId) => !loanTokens.has(poolId))
  if (unknown.length === 0) return
  const pools = await aggregate(
    client,
    block,
    unknown.map((poolId) => ({
      address: interestRatePool,
      abi: interestRatePoolAbi,
      functionName: 'pools',
      args: [poolId],
    })),
  )
  unknown.forEach((poolId, index) => {
    const [loanToken] = pools[index] as readonly [Address, Address, Hex]
    if (loanToken !== zeroAddress) loanTokens.set(poolId, loanToken)
  })
}

/** One round trip for all calls; any that fails fails all. */
async function aggregate(
  client: Client,
  block: BlockRef,
  contracts: { address: Address; abi: readonly unknown[]; functionName: string; args: readonly unknown[] }[],
): Promise<unknown[]> {
  if (contracts.length === 0) return []
  return multicall(client, {
    contracts: contracts as Parameters<typeof multicall>[1]['contracts'],
    allowFailure: false,
    batchSize: 0,
    blockNumber: block.number,
    multicallAddress: multicall3Address,
  })
}
