import { type BlockRef, hashQuote, type QuoteState, type SignedQuote } from '@firmquote/core'
import { isSignedByMaker, readLatestBlock, readQuoteStates } from '@firmquote/core/chain'
import { recoverSigner } from '@firmquote/core/protocol'
import { guardInput } from '@firmquote/core/utils'
import { type Address, type Client, type Hex, isHex } from 'viem'
import { ChainUnavailableError, InvalidInputError } from '../coreErrors.ts'
import { requireSignedQuote } from '../executability/takeQuote.ts'
import type { CheckedPlanParameters } from './checkPlanParameters.ts'

/** A quote and its hash, computed locally. */
export type Offer = { hash: Hex; signed: SignedQuote; maker: Address; notional: bigint; vrtAmount: bigint }

/** An offer with its on-chain state. */
export type KnownOffer = Offer & {
  state: QuoteState
  /** Whether the maker's own key signed the offer. If false, the maker may be a contract. */
  byKey: boolean
}

/** A quote's state, including the contract's verdict. */
export type PreviewedState = QuoteState & { preview: NonNullable<QuoteState['preview']> }

const quotesPerCall = 100
const contractMakerTimeoutMs = 5_000
/** Maximum number of block reads while a node lags. */
const maxReads = 30

/** Removes duplicate quotes by their hash on this chain. */
export function offersOf(quotes: readonly { quote: SignedQuote }[], parameters: CheckedPlanParameters): Offer[] {
  if (!Array.isArray(quotes))
    throw new InvalidInputError('must be an array, such as result.quotes.', { path: 'quotes' })
  const domain = { chainId: parameters.chainId, quoteMarket: parameters.quoteMarketAddress }
  const offers = guardInput('quotes', () =>
    quotes.map(({ quote }, index) => {
      requireSignedQuote(quote, `quotes.${index}.quote`)
      const signed = { ...quote }
      const hash = hashQuote(signed, domain)
      if (!isHex(signed.signature)) throw new InvalidInputError('must be hex.', { path: 'signature' })
      return { hash, signed, maker: signed.maker, notional: signed.notional, vrtAmount: signed.vrtAmount }
    }),
  )
  return [...new Map(offers.map((offer) => [offer.hash, offer])).values()]
}

/** Reads the state of each offer, without the contract's verdict. */
export async function readOffers(
  offers: readonly Offer[],
  parameters: CheckedPlanParameters,
  block: BlockRef,
): Promise<KnownOffer[]> {
  const groups = Array.from({ length: Math.ceil(offers.length / quotesPerCall) }, (_, index) =>
    offers.slice(index * quotesPerCall, (index + 1) * quotesPerCall),
  )
  const read = await Promise.all(
    groups.map(async (group) => {
      const queries = await Promise.all(
        group.map(async ({ hash, signed }) => {
          const { signer = null } = await recoverSigner(hash, signed.signature)
          return { quote: signed, hash, signer, preview: false }
        }),
      )
      const { states } = await readQuoteStates(parameters.publicClient, {
        ...marketOf(parameters),
        quotes: queries,
        block,
      })
      return group.flatMap((offer, index) => {
        const state = states[index]
        return state ? [{ ...offer, state, byKey: isSignedByMaker(offer, state.recovered) }] : []
      })
    }),
  )
  return read.flat()
}

/**
 * Reads the contract's verdict on one quote in its own call. Returns null if the maker's contract makes the call fail.
 *
 * @throws {ChainUnavailableError} if the read fails and no maker's contract is involved.
 */
export async function readPreview(
  { hash, signed, state, byKey }: KnownOffer,
  parameters: CheckedPlanParameters,
  block: BlockRef,
): Promise<PreviewedState | null> {
  const { publicClient, borrower } = parameters
  if (state.preview) return { ...state, preview: state.preview }
  const quotes = [{ quote: signed, hash, signer: state.recovered, preview: true }]
  const loanTokens = new Map(state.loanToken === null ? [] : [[signed.poolId, state.loanToken] as const])
  const reading = readQuoteStates(publicClient, { ...marketOf(parameters), quotes, borrower, block, loanTokens })
  try {
    const { states } = await (byKey ? reading : within(reading, contractMakerTimeoutMs))
    const [found] = states
    if (found?.preview) return { ...found, preview: found.preview }
  } catch (error) {
    if (byKey) throw error
    return null
  }
  throw new ChainUnavailableError('Failed to read the chain.')
}

/** Returns whether the maker's own key signed a quote. */
export async function isSignedByKey({ hash, signed }: Pick<Offer, 'hash' | 'signed'>): Promise<boolean> {
  const { signer = null } = await recoverSigner(hash, signed.signature)
  return isSignedByMaker(signed, signer)
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChainUnavailableError('The node did not answer in time.')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Reads the latest block. Polls the node at the client's polling interval until its latest block reaches `since`. */
export async function readBlockSince(client: Client, since: bigint): Promise<BlockRef> {
  for (let reads = 1; ; reads += 1) {
    const block = await readLatestBlock(client).catch((cause: unknown) => {
      throw new ChainUnavailableError('Failed to read the chain.', { cause })
    })
    if (block.number >= since) return block
    if (reads === maxReads) throw new ChainUnavailableError(`The node did not reach block ${since}.`)
    await new Promise((resolve) => setTimeout(resolve, client.pollingInterval))
  }
}

function marketOf({ quoteMarketAddress, interestRatePoolAddress }: CheckedPlanParameters) {
  return { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress }
}
