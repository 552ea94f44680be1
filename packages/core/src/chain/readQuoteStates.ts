import { type Address, type Client, erc20Abi, type Hex, hexToString, zeroAddress } from 'viem'
import { getBlock } from 'viem/actions'
import { interestRatePoolAbi } from '../abi/interestRatePool.ts'
import { quoteMarketAbi } from '../abi/quoteMarket.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef, QuoteState } from '../judgeState.ts'
import type { SignedQuote } from '../quote.ts'
import { recoverSigner } from '../signature.ts'
import { hashQuote, type QuoteDomain } from '../typedData.ts'
import { type CallList, createCallList } from './aggregate.ts'

/** What to read, and where. */
export type ReadQuoteStatesParameters = {
  domain: QuoteDomain
  interestRatePool: Address
  quotes: readonly SignedQuote[]
  /** Who would take them, for the preview; by default each quote's own taker. */
  borrower?: Address
  /** The block to read at; by default the latest. */
  block?: BlockRef
  /**
   * Whether signatures are recovered here as well (default), or the contract's word on them is enough: for quotes that
   * were checked before, where a recovery would only cost time.
   */
  recover?: boolean
  /** Loan tokens of pools that are known already. A pool never changes its token; what is found is added. */
  loanTokens?: Map<Hex, Address>
}

/** The block that was read, and a state for each quote in their order. */
export type QuoteStates = { block: BlockRef; states: QuoteState[] }

/**
 * Reads all state that {@link judgeState} needs, for many quotes, at one block and in one multicall: two requests to the
 * node however many quotes there are, and a third one when the loan token of a pool is not known yet.
 *
 * @throws {ChainUnavailableError} when anything could not be read. Unknown is never fine.
 */
export async function readQuoteStates(client: Client, parameters: ReadQuoteStatesParameters): Promise<QuoteStates> {
  const { interestRatePool, quotes, recover = true, loanTokens = new Map<Hex, Address>() } = parameters
  try {
    const block = parameters.block ?? (await readLatestBlock(client))
    await readLoanTokens(client, { interestRatePool, quotes, block, loanTokens })
    const calls = createCallList()
    const asked = quotes.map((quote) => askFor(quote, calls, { ...parameters, loanTokens }))
    const answers = await calls.read(client, block)
    const states: QuoteState[] = []
    for (const { quote, hash, loanToken, places } of asked) {
      const answer = <T>(place: number) => answers[place] as T
      const status = answer<number>(places.status)
      const [executable, reason, borrowerCost] = answer<readonly [boolean, Hex, bigint, bigint]>(places.preview)
      const [poolId, expiry, cap, outstanding] = answer<readonly [Hex, bigint, bigint, bigint]>(places.series)
      const recovery = recover ? await recoverSigner(hash, quote.signature) : null
      const reasonText = hexToString(reason, { size: 32 })
      states.push({
        block,
        hash,
        makerNonce: answer(places.nonce),
        status: status === 0 ? 'open' : status === 1 ? 'filled' : 'cancelled',
        loanToken,
        series: expiry === 0n ? null : { poolId, expiry: Number(expiry), cap, outstanding },
        capacity: answer(places.capacity),
        balance: places.balance === null ? 0n : answer(places.balance),
        allowance: places.allowance === null ? 0n : answer(places.allowance),
        recovered: recovery?.signer ?? null,
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

/** Asks for all that one quote needs. What quotes have in common (a maker's funds, a series) is read once for all. */
function askFor(
  quote: SignedQuote,
  calls: CallList,
  { domain, interestRatePool, borrower, loanTokens }: ReadQuoteStatesParameters & { loanTokens: Map<Hex, Address> },
) {
  const { signature, ...terms } = quote
  const { maker, seriesKey } = quote
  const hash = hashQuote(quote, domain)
  const market = { address: domain.quoteMarket, abi: quoteMarketAbi } as const
  const pool = { address: interestRatePool, abi: interestRatePoolAbi } as const
  const loanToken = loanTokens.get(quote.poolId) ?? null
  // Without a pool there is no token to ask.
  const ofToken = (functionName: string, args: readonly Address[]) =>
    loanToken &&
    calls.add({ address: loanToken, abi: erc20Abi, functionName, args }, `${functionName} ${loanToken} ${maker}`)
  return {
    quote,
    hash,
    loanToken,
    places: {
      nonce: calls.add({ ...market, functionName: 'nonces', args: [maker] }, `nonces ${maker}`),
      status: calls.add({ ...market, functionName: 'quoteStatus', args: [hash] }, `quoteStatus ${hash}`),
      preview: calls.add({
        ...market,
        functionName: 'previewTakeQuote',
        args: [terms, signature, borrower ?? quote.taker],
      }),
      series: calls.add({ ...pool, functionName: 'series', args: [seriesKey] }, `series ${seriesKey}`),
      capacity: calls.add({ ...pool, functionName: 'capacity', args: [seriesKey] }, `capacity ${seriesKey}`),
      balance: ofToken('balanceOf', [maker]),
      allowance: ofToken('allowance', [maker, domain.quoteMarket]),
    },
  }
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
  const calls = createCallList()
  for (const poolId of unknown) {
    calls.add({ address: interestRatePool, abi: interestRatePoolAbi, functionName: 'pools', args: [poolId] })
  }
  const pools = await calls.read(client, block)
  unknown.forEach((poolId, index) => {
    const [loanToken] = pools[index] as readonly [Address, Address, Hex]
    if (loanToken !== zeroAddress) loanTokens.set(poolId, loanToken)
  })
}
