import { INTEREST_RATE_POOL_ADDRESS, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { hashQuote, type SignedQuote } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import { recoverSigner } from '@firmquote/core/protocol'
import { checkedUint256 } from '@firmquote/core/utils'
import { type Address, type Client, type Hex, isHex } from 'viem'
import { checkSeconds } from '../checkSeconds.ts'
import { checkedAddress, checkedChainId, defaultChainId, misnamedAddresses } from '../clientConfig.ts'
import { ChainUnavailableError, InvalidInputError } from '../coreErrors.ts'
import { checkClient, readChain } from '../readChain.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import type { Executability, ExecutabilityRequest } from './executability.ts'
import { judgeExecutability } from './judgeExecutability.ts'
import { readBorrower } from './readBorrower.ts'
import { requireSignedQuote } from './takeQuote.ts'

/** The parameters of a check: `{ ...client.getConfig(), request, borrower, publicClient }`. */
export type CheckExecutabilityParameters = {
  request: ExecutabilityRequest
  /** The account that will take the quote. */
  borrower: Address
  /** Reads the chain. */
  publicClient: Client
  /** Default: the production deployment. */
  chainId?: number
  /** Default: the production deployment. */
  quoteMarketAddress?: Address
  /** Default: the production deployment. */
  interestRatePoolAddress?: Address
  /**
   * What the borrower must hold and approve, in raw units, if more than this quote's cost. For example, the cost of
   * several quotes.
   */
  needed?: bigint | undefined
  /** Seconds before its deadline at which a quote is no longer safe to submit. Default 30. */
  submissionWindowSeconds?: number
  /** Unix seconds. Default: this machine's clock. If the block's timestamp is later, the timestamp is used instead. */
  now?: number
}

/**
 * Checks whether a borrower can take a quote. All state is read at the same block. A quote for less than the requested
 * notional fails the check. To take such a quote anyway, pass its own notional in the request.
 *
 * The result is valid only for that block. If the quote is filled or cancelled in a later block, `takeQuote` reverts
 * and costs only gas.
 *
 * @throws {ChainUnavailableError} if a read fails. A quote with unknown state is never reported as executable.
 * @throws {InvalidInputError} if the quote or a parameter is malformed.
 * @example
 * ```ts
 * const { executable, checks } = await checkExecutability(best.quote, { request, borrower: account.address, publicClient })
 * if (!executable) for (const { ok, name, reason } of checks) if (!ok) console.log(`${name}: ${reason}`)
 * ```
 */
export async function checkExecutability(
  quote: SignedQuote,
  given: CheckExecutabilityParameters,
): Promise<Executability> {
  requireSignedQuote(quote, 'quote')
  const signed = { ...quote }
  const parameters = { ...given }
  rejectMisnamedOptions(parameters, misnamedAddresses)
  const { publicClient, submissionWindowSeconds = 30, now = Math.floor(Date.now() / 1000) } = parameters
  if (parameters.needed !== undefined) checkedUint256(parameters.needed, 'needed')
  checkSeconds(submissionWindowSeconds, 'submissionWindowSeconds')
  checkSeconds(now, 'now')
  checkClient(publicClient, 'publicClient')
  const chainId = checkedChainId(parameters.chainId ?? defaultChainId)
  const borrower = checkedAddress(parameters.borrower, 'borrower')
  const quoteMarket = checkedAddress(parameters.quoteMarketAddress ?? QUOTE_MARKET_ADDRESS, 'quoteMarketAddress')
  const interestRatePool = checkedAddress(
    parameters.interestRatePoolAddress ?? INTEREST_RATE_POOL_ADDRESS,
    'interestRatePoolAddress',
  )
  const hash = digestOf(signed, { chainId, quoteMarket }, publicClient)
  const request = checkedRequest(parameters.request)
  const { signer = null } = await recoverSigner(hash, signed.signature)

  return readChain(publicClient, [quoteMarket, interestRatePool], async () => {
    const { block, states } = await readQuoteStates(publicClient, {
      quoteMarket,
      interestRatePool,
      quotes: [{ quote: signed, hash, signer, preview: true }],
      borrower,
    })
    const [state] = states
    if (!state?.preview || state.preview.failure === 'silent')
      throw new ChainUnavailableError('Failed to read the chain.')
    const { loanToken, preview } = state
    const borrowerState = await readBorrower(publicClient, {
      block,
      borrower,
      quoteMarket,
      interestRatePool,
      loanToken,
    })
    return judgeExecutability(signed, {
      state: { ...state, preview },
      borrowerState,
      request,
      borrower,
      submissionWindowSeconds,
      now,
      needed: parameters.needed,
    })
  })
}

/** Runs before any read, so that a malformed quote is not reported as a chain failure. */
function digestOf(signed: SignedQuote, domain: { chainId: number; quoteMarket: Address }, client: Client): Hex {
  const hash = hashQuote(signed, domain)
  if (!isHex(signed.signature))
    throw new InvalidInputError('must be hex.', { path: 'signature', given: signed.signature })
  if (client.chain && client.chain.id !== domain.chainId) {
    throw new InvalidInputError(`reads chain ${client.chain.id}, but the quote is for chain ${domain.chainId}.`, {
      path: 'publicClient',
    })
  }
  return hash
}

function checkedRequest(given: ExecutabilityRequest): ExecutabilityRequest {
  const request = { ...given }
  rejectMisnamedOptions(request, { maxCost: 'maxVrtAmount' })
  const { notional, maxVrtAmount, poolId, seriesKey, expiry } = request
  checkedUint256(notional, 'request.notional')
  if (maxVrtAmount !== undefined) checkedUint256(maxVrtAmount, 'request.maxVrtAmount')
  for (const [name, value] of Object.entries({ poolId, seriesKey })) {
    if (value === undefined || (isHex(value) && value.length === 66)) continue
    throw new InvalidInputError('must be 32 bytes of hex.', { path: `request.${name}`, given: value })
  }
  if (expiry !== undefined) checkSeconds(expiry, 'request.expiry')
  return request
}
