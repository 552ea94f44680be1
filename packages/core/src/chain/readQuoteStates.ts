import { type Address, type Client, getAddress, type Hex } from 'viem'
import { getBlock } from 'viem/actions'
import { ChainUnavailableError } from '../errors.ts'
import type { SignedQuote } from '../generated/wireTypes.ts'
import { type BlockRef, isSignedByMaker, type QuoteState } from '../quote/judgeState.ts'
import {
  type Answers,
  addCall,
  type Call,
  type Calls,
  decodeUint,
  decodeWords,
  encodeWord,
  readCalls,
} from './aggregate.ts'
import { type ContractCalls, createContractCalls, decodePreview, previewCall } from './contractCalls.ts'
import { createSharedState, readAtLatestBlock, type SharedState } from './readAtLatestBlock.ts'

/** A quote whose state to read. */
export type QuoteStateQuery = {
  quote: SignedQuote
  /** The quote's EIP-712 digest. */
  hash: Hex
  /** The signer recovered with ecrecover, if known. */
  signer: Address | null
  /** Whether to call `previewTakeQuote`. If false, the state has no preview. */
  preview: boolean
}

/** The quotes to read, and options. */
export type ReadQuoteStatesParameters = {
  quoteMarket: Address
  interestRatePool: Address
  quotes: readonly QuoteStateQuery[]
  /** The account that will take the quotes, for the preview. Default: each quote's taker. */
  borrower?: Address
  /** The block to read at. Default: the latest. */
  block?: BlockRef
  /** A cache of loan tokens by pool, to which newly read tokens are added. A pool's token never changes. */
  loanTokens?: Map<Hex, Address>
  /** A cache of the state that quotes share (makers' funds, series) at the latest block. New results are added. */
  sharedState?: SharedState
  /**
   * Calls into makers' contracts. Pass the same object for all reads through one node, so that the reads share its
   * limits.
   */
  contractCalls?: ContractCalls
  /** Total timeout in milliseconds for all calls into makers' contracts. Default 2,000. */
  contractTimeoutMs?: number
  /**
   * Skip a maker's remaining quotes once its contract has failed. Use this option only if all quotes had valid
   * signatures before.
   */
  stopAtFailure?: boolean
}

/** The block, and the quotes' states in order. */
export type QuoteStates = { block: BlockRef; states: QuoteState[] }

/**
 * Reads the state that {@link judgeState} needs for many quotes, at one block. Two parallel requests suffice for any
 * number of quotes. One more is sent first if a pool's loan token is unknown, and one more last if `sharedState` is
 * from another block. A quote not signed by its maker's key (ERC-1271) is previewed in a separate request at the same
 * block, so that the maker's contract cannot affect other quotes. If the separate request fails, the preview has a
 * `failure`.
 *
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readQuoteStates(client: Client, parameters: ReadQuoteStatesParameters): Promise<QuoteStates> {
  const {
    interestRatePool,
    quotes,
    loanTokens = new Map<Hex, Address>(),
    sharedState = createSharedState(),
  } = parameters
  try {
    await readLoanTokens(client, { interestRatePool, quotes, loanTokens })
    const [own, shared] = [new Map<string, Call>(), new Map<string, Call>()]
    const asked = quotes.map((quote) => askFor(quote, { own, shared }, { ...parameters, loanTokens }))
    const { block, answers } = parameters.block
      ? await readAtBlock(client, new Map([...own, ...shared]), parameters.block)
      : await readAtLatestBlock(client, { own, shared }, sharedState)
    const states = asked.map((read) => read(block, answers))
    return { block, states: await withContractPreviews(client, states, { ...parameters, block }) }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('Failed to read the chain.', { cause })
  }
}

/**
 * Reads the latest block.
 *
 * @throws viem's errors. Callers convert them to {@link ChainUnavailableError}.
 */
export async function readLatestBlock(client: Client): Promise<BlockRef> {
  const { number, hash, timestamp } = await getBlock(client, { blockTag: 'latest' })
  return { number, hash, timestamp }
}

/** Function selectors of the reads. A test compares these selectors with the ABIs. */
export const selectors = {
  nonces: '0x7ecebe00',
  quoteStatus: '0x17b467c8',
  series: '0xf5de118e',
  capacity: '0xbd8f9f9f',
  pools: '0xb5217bb4',
  balanceOf: '0x70a08231',
  allowance: '0xdd62ed3e',
} as const satisfies Record<string, Hex>

async function readAtBlock(
  client: Client,
  calls: Calls,
  block: BlockRef,
): Promise<{ block: BlockRef; answers: Answers }> {
  return { block, answers: await readCalls(client, calls, block.number) }
}

/** Adds the calls for one quote. Calls that several quotes share (a maker's funds, a series) are added once. */
function askFor(
  { quote, hash, signer, preview }: QuoteStateQuery,
  { own, shared }: Record<'own' | 'shared', Map<string, Call>>,
  {
    quoteMarket,
    interestRatePool,
    borrower,
    loanTokens,
  }: ReadQuoteStatesParameters & { loanTokens: Map<Hex, Address> },
): (block: BlockRef, answers: Answers) => QuoteState {
  const { maker, seriesKey } = quote
  const loanToken = loanTokens.get(quote.poolId) ?? null
  const ask = (address: Address, selector: Hex, ...words: Hex[]) =>
    addCall(shared, { address, data: `${selector}${words.map(encodeWord).join('')}` })
  const status = addCall(own, { address: quoteMarket, data: `${selectors.quoteStatus}${encodeWord(hash)}` })
  const nonce = ask(quoteMarket, selectors.nonces, maker)
  const series = ask(interestRatePool, selectors.series, seriesKey)
  const capacity = ask(interestRatePool, selectors.capacity, seriesKey)
  // Pools that do not exist have no token.
  const balance = loanToken && ask(loanToken, selectors.balanceOf, maker)
  const allowance = loanToken && ask(loanToken, selectors.allowance, maker, quoteMarket)
  // If the maker's key signed the quote, only the market, which is trusted, checks the signature.
  const verdict =
    preview && isSignedByMaker(quote, signer)
      ? addCall(own, previewCall(quoteMarket, quote, borrower ?? quote.taker))
      : null

  return (block, answers) => ({
    block,
    hash,
    makerNonce: decodeUint(answers.get(nonce)),
    status: statusOf(decodeUint(answers.get(status))),
    loanToken,
    series: seriesOf(answers.get(series)),
    capacity: decodeUint(answers.get(capacity)),
    balance: balance === null ? 0n : decodeUint(answers.get(balance)),
    allowance: allowance === null ? 0n : decodeUint(answers.get(allowance)),
    recovered: signer,
    preview: verdict === null ? null : decodePreview(answers.get(verdict)),
  })
}

function statusOf(value: bigint): QuoteState['status'] {
  return value === 0n ? 'open' : value === 1n ? 'filled' : 'cancelled'
}

function seriesOf(answer: Hex | undefined): QuoteState['series'] {
  const [poolId, expiry, cap, outstanding] = decodeWords(answer, 4).map((digits): Hex => `0x${digits}`)
  if (!poolId || !expiry || !cap || !outstanding || BigInt(expiry) === 0n) return null
  return { poolId, expiry: Number(expiry), cap: BigInt(cap), outstanding: BigInt(outstanding) }
}

/** Adds previews for quotes that only the maker's contract can confirm. */
async function withContractPreviews(
  client: Client,
  states: readonly QuoteState[],
  { quotes, block, borrower, stopAtFailure = false, ...parameters }: ReadQuoteStatesParameters & { block: BlockRef },
): Promise<QuoteState[]> {
  const asked = quotes.filter(({ quote, signer, preview }) => preview && !isSignedByMaker(quote, signer))
  if (asked.length === 0) return [...states]
  const { contractCalls = createContractCalls(client, parameters), contractTimeoutMs: timeoutMs = 2_000 } = parameters
  const previews = await contractCalls.readPreviews(asked, {
    block,
    timeoutMs,
    stopAtFailure,
    ...(borrower && { borrower }),
  })
  const byQuery = new Map(asked.map((query, index) => [query, previews[index] ?? null]))
  return states.map((state, index) => {
    const preview = byQuery.get(quotes[index] as QuoteStateQuery)
    return preview ? { ...state, preview } : state
  })
}

async function readLoanTokens(
  client: Client,
  {
    interestRatePool,
    quotes,
    loanTokens,
  }: { interestRatePool: Address; quotes: readonly QuoteStateQuery[]; loanTokens: Map<Hex, Address> },
): Promise<void> {
  const unknown = [...new Set(quotes.map(({ quote }) => quote.poolId))].filter((poolId) => !loanTokens.has(poolId))
  if (unknown.length === 0) return
  const calls = new Map<string, Call>()
  const keys = unknown.map((poolId) =>
    addCall(calls, { address: interestRatePool, data: `${selectors.pools}${encodeWord(poolId)}` }),
  )
  const pools = await readCalls(client, calls)
  unknown.forEach((poolId, index) => {
    const loanToken = decodeWords(pools.get(keys[index] ?? ''), 3)[0]?.slice(24)
    if (loanToken && BigInt(`0x${loanToken}`) !== 0n) loanTokens.set(poolId, getAddress(`0x${loanToken}`))
  })
}
