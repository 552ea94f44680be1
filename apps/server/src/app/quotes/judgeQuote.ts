import {
  ChainUnavailableError,
  type Clock,
  explainBadSignature,
  isSignedByMaker,
  judgeState,
  type QuoteDomain,
  type QuoteState,
  type Rejection,
  type SignedQuote,
} from '@firmquote/core'
import { type Address, getAddress, type Hex } from 'viem'
import type { Chain } from '../../ports/chain.ts'
import { OverloadedError } from '../../ports/errors.ts'
import type { Signatures } from '../../ports/signatures.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { SyncSettings } from '../serviceDeps.ts'

/** The state on which a quote passed, or why it did not. */
export type QuoteVerdict = { rejection: null; state: QuoteState } | { rejection: Rejection; state?: never }

/** The dependencies of {@link judgeQuote}. */
export type JudgeDeps = {
  chain: Pick<Chain, 'readQuoteStates'>
  clock: Pick<Clock, 'now'>
  signatures: Signatures
  domain: QuoteDomain
  interestRatePool: Address
  sync: Pick<SyncSettings, 'headStaleSeconds'>
}

/**
 * Judges a quote by its signature and its state on the chain, read at one block. Its terms must have passed `judgeTerms`,
 * which needs no chain. A chain that cannot be read, or whose newest block is stale, gives `CHAIN_UNAVAILABLE`.
 */
export async function judgeQuote(deps: JudgeDeps, quote: SignedQuote, hash: Hex): Promise<QuoteVerdict> {
  const { clock, domain, interestRatePool, signatures, sync } = deps
  try {
    const state = await readState(deps, quote, hash)
    const now = chainNow(clock)
    // A node whose newest block is stale does not know what has happened since.
    if (state === undefined || now - state.block.timestamp > BigInt(sync.headStaleSeconds)) {
      return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
    }
    const rejection = judgeState(quote, state, now)
    if (rejection === null) return { rejection, state }
    if (rejection.code !== 'BAD_SIGNATURE') return { rejection }
    const cause = await explainBadSignature(quote, domain, [interestRatePool], signatures.recoverSigner)
    return { rejection: { ...rejection, recovered: rejection.recovered && getAddress(rejection.recovered), cause } }
  } catch (error) {
    if (error instanceof ChainUnavailableError) return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
    if (error instanceof OverloadedError) return { rejection: { code: 'OVERLOADED' } }
    throw error
  }
}

/**
 * Recovers the signer while the chain is read. A signature that is not by the maker's key may be one that the maker's
 * contract accepts (ERC-1271): then the state is read again with the contract's preview.
 */
async function readState(
  { chain, signatures }: JudgeDeps,
  quote: SignedQuote,
  hash: Hex,
): Promise<QuoteState | undefined> {
  const read = async (signer: Address | null, preview: boolean) => {
    const { states } = await chain.readQuoteStates([{ quote, hash, signer, preview }])
    return states[0]
  }
  const [{ signer = null }, state] = await Promise.all([
    signatures.recoverSigner(hash, quote.signature),
    read(null, false),
  ])
  return isSignedByMaker(quote, signer) ? state && { ...state, recovered: signer } : read(signer, true)
}
