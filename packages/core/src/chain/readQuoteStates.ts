import {
  type Address,
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToString,
} from 'viem'
import { getBlock } from 'viem/actions'
import { quoteMarketAbi } from '../abi/quoteMarket.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef, QuoteState } from '../judgeState.ts'
import type { SignedQuote } from '../quote.ts'
import { amountOf, type CallList, createCallList, multicall3Address, wordOf, wordsOf } from './aggregate.ts'

/** A quote whose state is wanted. */
export type AskedQuote = {
  quote: SignedQuote
  /** Its EIP-712 digest. */
  hash: Hex
  /** Whom its signature names by ecrecover, where that is known. */
  signer: Address | null
  /** Whether the contract is asked for its own verdict. Without it the state has none. */
  preview: boolean
}

/** What to read, and where. */
export type ReadQuoteStatesParameters = {
  quoteMarket: Address
  interestRatePool: Address
  quotes: readonly AskedQuote[]
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
 * Reads all state that {@link judgeState} needs, for many quotes, at one block: two requests to the node at the same time
 * however many quotes there are, and one before them when the loan token of a pool is not known yet.
 *
 * @throws {ChainUnavailableError} when anything could not be read. Unknown is never fine.
 */
export async function readQuoteStates(client: Client, parameters: ReadQuoteStatesParameters): Promise<QuoteStates> {
  const { interestRatePool, quotes, loanTokens = new Map<Hex, Address>() } = parameters
  try {
    await readLoanTokens(client, { interestRatePool, quotes, loanTokens })
    const calls = createCallList()
    const asked = quotes.map((quote) => askFor(quote, calls, { ...parameters, loanTokens }))
    const { block, answers } = await readAtOneBlock(client, calls, parameters.block)
    return { block, states: asked.map((read) => read(block, answers)) }
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

/**
 * Reads the newest block and the calls at the same time. The calls say themselves at which block they were made; when a
 * new one has come in between, or two nodes answer, they are made again at the block that is known.
 */
async function readAtOneBlock(
  client: Client,
  calls: CallList,
  known: BlockRef | undefined,
): Promise<{ block: BlockRef; answers: Hex[] }> {
  if (known) return { block: known, answers: await calls.read(client, known.number) }
  const places = blockFacts.map((data) => calls.add({ address: multicall3Address, data }))
  const [{ number, hash, timestamp, parentHash }, answers] = await Promise.all([
    getBlock(client, { blockTag: 'latest' }),
    calls.read(client),
  ])
  const block = { number, hash, timestamp }
  const [readNumber, readTimestamp, readParent] = places.map((place) => amountOf(answers[place]))
  if (readNumber === number && readTimestamp === timestamp && readParent === BigInt(parentHash)) {
    return { block, answers }
  }
  return { block, answers: await calls.read(client, number) }
}

/** Multicall3's `getBlockNumber()`, `getCurrentBlockTimestamp()` and `getLastBlockHash()`. */
const blockFacts: readonly Hex[] = ['0x42cbb15c', '0x0f28c97d', '0x27e86d6e']

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

/** Asks for all that one quote needs. What quotes have in common (a maker's funds, a series) is read once for all. */
function askFor(
  { quote, hash, signer, preview }: AskedQuote,
  calls: CallList,
  {
    quoteMarket,
    interestRatePool,
    borrower,
    loanTokens,
  }: ReadQuoteStatesParameters & { loanTokens: Map<Hex, Address> },
): (block: BlockRef, answers: readonly Hex[]) => QuoteState {
  const { signature, ...terms } = quote
  const { maker, seriesKey } = quote
  const loanToken = loanTokens.get(quote.poolId) ?? null
  const ask = (address: Address, selector: Hex, ...words: Hex[]) =>
    calls.add({ address, data: `${selector}${words.map(wordOf).join('')}` })
  const nonce = ask(quoteMarket, selectors.nonces, maker)
  const status = ask(quoteMarket, selectors.quoteStatus, hash)
  const series = ask(interestRatePool, selectors.series, seriesKey)
  const capacity = ask(interestRatePool, selectors.capacity, seriesKey)
  // Without a pool there is no token to ask.
  const balance = loanToken && ask(loanToken, selectors.balanceOf, maker)
  const allowance = loanToken && ask(loanToken, selectors.allowance, maker, quoteMarket)
  const verdict = preview
    ? calls.add({
        address: quoteMarket,
        data: encodeFunctionData({ ...previewTakeQuote, args: [terms, signature, borrower ?? quote.taker] }),
      })
    : null

  return (block, answers) => ({
    block,
    hash,
    makerNonce: amountOf(answers[nonce]),
    status: statusOf(amountOf(answers[status])),
    loanToken,
    series: seriesOf(answers[series]),
    capacity: amountOf(answers[capacity]),
    balance: balance === null ? 0n : amountOf(answers[balance]),
    allowance: allowance === null ? 0n : amountOf(answers[allowance]),
    recovered: signer,
    preview: verdict === null ? null : previewOf(answers[verdict]),
  })
}

const previewTakeQuote = { abi: quoteMarketAbi, functionName: 'previewTakeQuote' } as const

function statusOf(value: bigint): QuoteState['status'] {
  return value === 0n ? 'open' : value === 1n ? 'filled' : 'cancelled'
}

function seriesOf(answer: Hex | undefined): QuoteState['series'] {
  const [poolId, expiry, cap, outstanding] = wordsOf(answer, 4).map((digits): Hex => `0x${digits}`)
  if (!poolId || !expiry || !cap || !outstanding || BigInt(expiry) === 0n) return null
  return { poolId, expiry: Number(expiry), cap: BigInt(cap), outstanding: BigInt(outstanding) }
}

function previewOf(answer: Hex = '0x'): NonNullable<QuoteState['preview']> {
  const [executable, reason, borrowerCost] = decodeFunctionResult({ ...previewTakeQuote, data: answer })
  return { executable, reason: executable ? '' : hexToString(reason, { size: 32 }), borrowerCost }
}

async function readLoanTokens(
  client: Client,
  {
    interestRatePool,
    quotes,
    loanTokens,
  }: { interestRatePool: Address; quotes: readonly AskedQuote[]; loanTokens: Map<Hex, Address> },
): Promise<void> {
  const unknown = [...new Set(quotes.map(({ quote }) => quote.poolId))].filter((poolId) => !loanTokens.has(poolId))
  if (unknown.length === 0) return
  const calls = createCallList()
  for (const poolId of unknown) calls.add({ address: interestRatePool, data: `${selectors.pools}${wordOf(poolId)}` })
  const pools = await calls.read(client)
  unknown.forEach((poolId, index) => {
    const loanToken = wordsOf(pools[index], 3)[0]?.slice(24)
    if (loanToken && BigInt(`0x${loanToken}`) !== 0n) loanTokens.set(poolId, getAddress(`0x${loanToken}`))
  })
}
