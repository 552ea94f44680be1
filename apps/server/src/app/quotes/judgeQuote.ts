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
import type { SyncSettings } from '../chain/syncSettings.ts'

/** A quote that passed, with the state it passed on; or why it did not. */
export type QuoteVerdict = { rejection: null; state: QuoteState } | { rejection: Rejection; state?: never }

/** What judging a quote needs. */
export type JudgeDeps = {
  chain: Pick<Chain, 'readQuoteStates'>
  clock: Pick<Clock, 'now'>
  signatures: Signatures
  domain: QuoteDomain
  interestRatePool: Address
  sync: Pick<SyncSettings, 'headStaleSeconds'>
}

/** The time that chain fields are compared with, Unix seconds. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}

/**
 * Judges a quote whose terms have passed (`judgeTerms` needs no chain, so it always comes before) by its signature and by
 * its state on the chain, read at one block. A chain that cannot be read, or only as it was a while ago, makes it
 * `CHAIN_UNAVAILABLE`, never fine.
 */
export async function judgeQuote(deps: JudgeDeps, quote: SignedQuote, hash: Hex): Promise<QuoteVerdict> {
  const { clock, domain, interestRatePool, signatures, sync } = deps
  try {
    const state = await readState(deps, quote, hash)
    const now = chainNow(clock)
    // A node whose newest block is old does not know what has happened since.
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
 * The signer is recovered while the chain is read. A signature that is not the maker's own may still be one that a contract
 * accepts (ERC-1271): then all is read again, with the contract's word.
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
