import { type Address, type Hex, hexToBigInt, isHex, recoverAddress, size, slice } from 'viem'
import type { SignedQuote } from '../generated/wireTypes.ts'
import { hashQuote } from './hashQuote.ts'
import type { SignatureCause, SignatureFault } from './signatureCause.ts'
import type { QuoteDomain } from './typedData.ts'

/** The signer, or why none was recovered. */
export type Recovery = { signer: Address; fault?: never } | { fault: SignatureFault; signer?: never }

const halfCurveOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Recovers a digest's signer under the contract's strict rules: exactly 65 bytes, v 27 or 28, s in the lower half
 * (EIP-2). viem alone accepts a high s and a v of 0 or 1.
 */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Recovery> {
  if (!isHex(signature) || size(signature) !== 65) return { fault: 'not_65_bytes' }
  const v = Number.parseInt(signature.slice(-2), 16)
  if (v !== 27 && v !== 28) return { fault: 'v_not_27_or_28' }
  if (hexToBigInt(slice(signature, 32, 64)) > halfCurveOrder) return { fault: 'high_s' }
  try {
    return { signer: await recoverAddress({ hash: digest, signature }) }
  } catch {
    return { fault: 'unrecoverable' }
  }
}

/**
 * Recovers a quote's signer for the given market.
 *
 * @example
 * ```ts
 * const domain = { chainId, quoteMarket: client.getConfig().quoteMarketAddress }
 * const { signer } = await recoverMaker(signed, domain)
 * signer === signed.maker // true
 * ```
 */
export function recoverMaker(signed: SignedQuote, domain: QuoteDomain): Promise<Recovery> {
  return recoverSigner(hashQuote(signed, domain), signed.signature)
}

/**
 * Finds the likely reason that a signature is not the maker's. Tries other chain ids and contracts, and the previous
 * and next nonce, with at most nine recoveries.
 *
 * @param otherContracts Addresses that are easily mistaken for the quote market, such as the pool.
 * @param recover A faster replacement for {@link recoverSigner}.
 */
export async function explainBadSignature(
  signed: SignedQuote,
  domain: QuoteDomain,
  otherContracts: readonly Address[] = [],
  recover = recoverSigner,
): Promise<SignatureCause> {
  const recovery = await recover(hashQuote(signed, domain), signed.signature)
  if (recovery.fault) return recovery.fault
  const signedBy = async (quote: SignedQuote, by: QuoteDomain) =>
    (await recover(hashQuote(quote, by), quote.signature)).signer?.toLowerCase() === signed.maker.toLowerCase()

  for (const chainId of likelyChainIds) {
    if (chainId !== domain.chainId && (await signedBy(signed, { ...domain, chainId }))) return 'wrong_chain'
  }
  for (const quoteMarket of otherContracts.slice(0, 2)) {
    if (await signedBy(signed, { ...domain, quoteMarket })) return 'wrong_contract'
  }
  for (const nonce of [signed.nonce - 1n, signed.nonce + 1n]) {
    if (nonce >= 0n && (await signedBy({ ...signed, nonce }, domain))) return 'stale_nonce'
  }
  return 'other_signer'
}

/** Chain ids of Ethereum, Base, Base Sepolia and the default local chain. */
const likelyChainIds = [1, 8453, 84532, 31337]
