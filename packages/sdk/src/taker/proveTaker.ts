import type { RFQRequest } from '@firmquote/core'
import { takerAuthTypedData } from '@firmquote/core/protocol'
import { type Clock, guardInput, systemClock } from '@firmquote/core/utils'
import { type Account, type Address, type Client, type Hex, isAddressEqual } from 'viem'
import { parseAccount } from 'viem/accounts'
import { type SignTypedDataParameters, signTypedData } from 'viem/actions'
import { audienceRemedy } from '../backer/audienceRemedy.ts'
import { canonicalV } from '../backer/canonicalV.ts'
import { isSafeUrl } from '../backer/isSafeUrl.ts'
import type { BorrowerClient } from '../borrowerClient.ts'
import { checkCallOptions } from '../checkOptions.ts'
import { checkedAddress } from '../clientConfig.ts'
import { marketRemedy } from '../compareMarkets.ts'
import { SignerError } from '../errors.ts'
import type { CallOptions } from '../http/callGuard.ts'

/**
 * The taker proof of an `RFQRequest`, valid for 24 hours from its `timestamp` (Unix seconds). `shareRecord` is true if
 * the taker agreed to share its record.
 */
export type TakerProof = { taker: Address; takerProof: NonNullable<RFQRequest['takerProof']>; shareRecord?: true }

/** A proof's signer and audience. */
export type ProveTakerOptions = CallOptions & {
  /** The taker: a local account, or an account of `walletClient`. */
  account: Account | Address
  walletClient?: Client | undefined
  /**
   * Whether makers with funds may see the taker's record. The taker signs this, so the proof is valid only with the
   * same `shareRecord`. Default: false.
   */
  shareRecord?: boolean | undefined
  /** The origin that the service must claim. Default: the origin of the client's `orderbookUrl`. */
  audience?: string | undefined
  clock?: Pick<Clock, 'now'> | undefined
}

/**
 * Signs a proof that an account is the taker of requests to a service. For 24 hours, the result can be spread into any
 * request to the service. Backers see that the taker is verified, up to its unfixed debt in the pool. The requests
 * count against the taker's own quotas. Signs only if the service claims the origin that the client connects to.
 * Otherwise, the service could use the proof elsewhere.
 *
 * @throws {SignerError} `AUDIENCE_MISMATCH` if the service claims another origin (nothing was signed), `SIGNER_MISSING`
 * or `SIGNING_FAILED`.
 * @throws {InvalidInputError} if the account has no valid address.
 * @example
 * ```ts
 * const proof = await proveTaker(client, { account, walletClient })
 * const result = await client.requestQuotes({ poolId, expiry, notional, ...proof })
 * ```
 */
export async function proveTaker(
  client: Pick<BorrowerClient, 'getConfig' | 'getServiceConfig'>,
  proveOptions: ProveTakerOptions,
): Promise<TakerProof> {
  const { account: given, walletClient, audience: expected, clock = systemClock, ...rest } = { ...proveOptions }
  const { shareRecord = false, ...options } = rest
  const { orderbookUrl, chainId, quoteMarketAddress: quoteMarket } = guardInput('client', () => client.getConfig())
  const { origin } = new URL(orderbookUrl)
  const audience = expected ?? origin
  if (!isSafeUrl(orderbookUrl)) throw mismatch(`${origin} is not encrypted. An http:// URL must point to this machine.`)
  const taker = checkedAddress(typeof given === 'object' ? given.address : given, 'account')
  const config = await client.getServiceConfig(checkCallOptions(options))
  if (config.takerAudience !== audience) {
    throw mismatch(
      `The service claims ${config.takerAudience ? `the origin ${config.takerAudience}` : 'no origin'}, not ${audience}.`,
      config.takerAudience === undefined ? '' : audienceRemedy(config.takerAudience),
    )
  }
  if (config.chainId !== chainId || !isAddressEqual(config.contracts.quoteMarket, quoteMarket)) {
    throw mismatch(
      `The service uses the quote market ${config.contracts.quoteMarket} on chain ${config.chainId}, but this client is set to ${quoteMarket} on chain ${chainId}.`,
      ` ${marketRemedy}`,
    )
  }
  const timestamp = Math.floor(clock.now() / 1_000)
  const typedData = takerAuthTypedData({ taker, audience, chainId, quoteMarket, timestamp, shareRecord })
  const signature = await sign(parseAccount(given), walletClient, typedData)
  return { taker, takerProof: { timestamp, signature }, ...(shareRecord && { shareRecord }) }
}

async function sign(
  account: Account,
  walletClient: Client | undefined,
  typedData: ReturnType<typeof takerAuthTypedData>,
): Promise<Hex> {
  if (!account.signTypedData && walletClient === undefined) {
    throw new SignerError('SIGNER_MISSING', 'There is no signer. Pass a local account or a walletClient.')
  }
  try {
    const signed =
      walletClient === undefined
        ? account.signTypedData?.(typedData)
        : signTypedData(walletClient, { account, ...typedData } as SignTypedDataParameters)
    return canonicalV((await signed) ?? '0x')
  } catch (cause) {
    throw new SignerError('SIGNING_FAILED', 'The wallet did not sign.', { cause })
  }
}

function mismatch(message: string, remedy = ''): SignerError {
  return new SignerError('AUDIENCE_MISMATCH', message, { details: `Nothing was signed.${remedy}` })
}
