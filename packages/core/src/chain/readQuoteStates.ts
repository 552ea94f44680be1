import { type Address, type Client, getAddress, type Hex } from 'viem'
import { getBlock } from 'viem/actions'
import { ChainUnavailableError } from '../errors.ts'
import type { SignedQuote } from '../generated/wireTypes.ts'
import { type BlockRef, isSignedByMaker, type QuoteState } from '../quote/judgeState.ts'
import { type Answers, addCall, amountOf, type Call, type Calls, readCalls, wordOf, wordsOf } from './aggregate.ts'
import { type ContractCalls, createContractCalls, decodePreview, previewCall } from './contractCalls.ts'
import { createSharedState, readAtLatestBlock, type SharedState } from './readAtLatestBlock.ts'

/** A quote whose state is wanted. */
export type QuoteStateQuery = {
  quote: SignedQuote
  /** Its EIP-712 digest. */
  hash: Hex
  /** The address that ecrecover gives for its signature, where that is known. */
  signer: Address | null
  /** Whether the contract is asked for its own verdict. Without it the state has none. */
  preview: boolean
}

/** What to read, and where. */
export type ReadQuoteStatesParameters = {
  quoteMarket: Address
  interestRatePool: Address
  quotes: readonly QuoteStateQuery[]
  /** Who would take them, for the preview; by default each quote's own taker. */
  borrower?: Address
  /** The block to read at; by default the latest. */
  block?: BlockRef
  /** Loan tokens of pools that are known already. A pool never changes its token; what is found is added. */
  loanTokens?: Map<Hex, Address>
  /** What quotes have in common, a maker's funds or a series, and is known of the latest block; what is read is added. */
  sharedState?: SharedState
  /** The calls into makers' contracts through this node, where they are shared with other readings. */
  contractCalls?: ContractCalls
  /** How long all contracts of makers together may take, in milliseconds; by default 2,000. */
  contractTimeoutMs?: number
  /** Whether a maker's contract that has failed is not asked for its other quotes: where all were valid once. */
  stopAtFailure?: boolean
}

/** The block that was read, and a state for each quote in their order. */
export type QuoteStates = { block: BlockRef; states: QuoteState[] }

/**
 * Reads all state that {@link judgeState} needs, for many quotes, at one block: two requests to the node at the same time
 * however many quotes there are, one before them when the loan token of a pool is not known yet, and one after them when
 * `sharedState` is of another block. A preview of a quote that is not signed by its maker's key (ERC-1271) is a request of its
 * own, made at the same block afterwards: what the maker's contract does there changes the state of no other quote, and its
 * failure is a `failure` of the preview.
 *
 * @throws {ChainUnavailableError} when anything could not be read.
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

/** The selectors of what is read; a test holds them against the ABIs. */
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

/** Asks for all that one quote needs. What quotes have in common (a maker's funds, a series) is read once for all. */
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
    addCall(shared, { address, data: `${selector}${words.map(wordOf).join('')}` })
  const status = addCall(own, { address: quoteMarket, data: `${selectors.quoteStatus}${wordOf(hash)}` })
  const nonce = ask(quoteMarket, selectors.nonces, maker)
  const series = ask(interestRatePool, selectors.series, seriesKey)
  const capacity = ask(interestRatePool, selectors.capacity, seriesKey)
  // Without a pool there is no token to ask.
  const balance = loanToken && ask(loanToken, selectors.balanceOf, maker)
  const allowance = loanToken && ask(loanToken, selectors.allowance, maker, quoteMarket)
  // A signature of the maker's key needs no contract but the market, which is not hostile.
  const verdict =
    preview && isSignedByMaker(quote, signer)
      ? addCall(own, previewCall(quoteMarket, quote, borrower ?? quote.taker))
      : null

  return (block, answers) => ({
    block,
    hash,
    makerNonce: amountOf(answers.get(nonce)),
    status: statusOf(amountOf(answers.get(status))),
    loanToken,
    series: seriesOf(answers.get(series)),
    capacity: amountOf(answers.get(capacity)),
    balance: balance === null ? 0n : amountOf(answers.get(balance)),
    allowance: allowance === null ? 0n : amountOf(answers.get(allowance)),
    recovered: signer,
    preview: verdict === null ? null : decodePreview(answers.get(verdict)),
  })
}

function statusOf(value: bigint): QuoteState['status'] {
  return value === 0n ? 'open' : value === 1n ? 'filled' : 'cancelled'
}

function seriesOf(answer: Hex | undefined): QuoteState['series'] {
  const [poolId, expiry, cap, outstanding] = wordsOf(answer, 4).map((digits): Hex => `0x${digits}`)
  if (!poolId || !expiry || !cap || !outstanding || BigInt(expiry) === 0n) return null
  return { poolId, expiry: Number(expiry), cap: BigInt(cap), outstanding: BigInt(outstanding) }
}

/** The states, with the previews of those quotes that only their maker's contract can confirm. */
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
    addCall(calls, { address: interestRatePool, data: `${selectors.pools}${wordOf(poolId)}` }),
  )
  const pools = await readCalls(client, calls)
  unknown.forEach((poolId, index) => {
    const loanToken = wordsOf(pools.get(keys[index] ?? ''), 3)[0]?.slice(24)
    if (loanToken && BigInt(`0x${loanToken}`) !== 0n) loanTokens.set(poolId, getAddress(`0x${loanToken}`))
  })
}
