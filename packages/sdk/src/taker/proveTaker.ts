import { type Clock, guardInput, type RFQRequest, systemClock, takerAuthTypedData } from '@firmquote/core'
import { type Account, type Address, type Client, type Hex, isAddressEqual } from 'viem'
import { parseAccount } from 'viem/accounts'
import { type SignTypedDataParameters, signTypedData } from 'viem/actions'
import { audienceRemedy } from '../backer/audienceRemedy.ts'
import { canonicalV } from '../backer/canonicalV.ts'
import { isSafeUrl } from '../backer/isSafeUrl.ts'
import { checkCallOptions } from '../checkOptions.ts'
import { checkedAddress } from '../clientConfig.ts'
import { SignerError } from '../errors.ts'
import type { CallOptions } from '../http/callGuard.ts'
import type { ServiceClient } from '../serviceClient.ts'

/** What proves the taker of a request: part of an `RFQRequest`, for 24 hours from its `timestamp` (Unix seconds). */
export type TakerProof = { taker: Address; takerProof: NonNullable<RFQRequest['takerProof']> }

/** Who signs a proof, and for whom. */
export type ProveTakerOptions = CallOptions & {
  /** The taker: an account that signs by itself, or one of `walletClient`. */
  account: Account | Address
  walletClient?: Client | undefined
  /** The origin that the service must say that it has, if not that of the client's `orderbookUrl`. */
  audience?: string | undefined
  clock?: Pick<Clock, 'now'> | undefined
}

/**
 * Signs a proof that an account is the taker of requests to a service: spread the value into them, for 24 hours. Backers see that
 * the taker is verified, up to its unfixed debt in the pool, and the requests have quotas of their own. It is signed only if the
 * service says that it is the one that the client talks to: another one could use the proof there.
 *
 * @throws {SignerError} `AUDIENCE_MISMATCH` when the service is not the one that is meant (nothing was signed), `SIGNER_MISSING`,
 * `SIGNING_FAILED`.
 * @throws {InvalidInputError} when the account has no valid address.
 * @example
 * ```ts
 * const proof = await proveTaker(client, { account, walletClient })
 * const result = await client.requestQuotes({ poolId, expiry, notional, ...proof })
 * ```
 */
export async function proveTaker(
  client: Pick<ServiceClient, 'getConfig' | 'getServiceConfig'>,
  proveOptions: ProveTakerOptions,
): Promise<TakerProof> {
  const { account: given, walletClient, audience: expected, clock = systemClock, ...options } = { ...proveOptions }
  const { orderbookUrl, chainId, quoteMarketAddress: quoteMarket } = guardInput('client', () => client.getConfig())
  const { origin } = new URL(orderbookUrl)
  const audience = expected ?? origin
  if (!isSafeUrl(orderbookUrl))
    throw mismatch(`${origin} is not encrypted: an http:// URL may only lead to this machine.`)
  const taker = checkedAddress(typeof given === 'object' ? given.address : given, 'account')
  const config = await client.getServiceConfig(checkCallOptions(options))
  if (config.takerAudience !== audience) {
    throw mismatch(
      `The service says that it is ${config.takerAudience ?? 'nobody'}, not ${audience}.`,
      config.takerAudience === undefined ? '' : audienceRemedy(config.takerAudience),
    )
  }
  if (config.chainId !== chainId || !isAddressEqual(config.contracts.quoteMarket, quoteMarket)) {
    throw mismatch('The service is for another chain or quote market than this client.')
  }
  const timestamp = Math.floor(clock.now() / 1_000)
  const typedData = takerAuthTypedData({ taker, audience, chainId, quoteMarket, timestamp })
  const signature = await sign(parseAccount(given), walletClient, typedData)
  return { taker, takerProof: { timestamp, signature } }
}

async function sign(
  account: Account,
  walletClient: Client | undefined,
  typedData: ReturnType<typeof takerAuthTypedData>,
): Promise<Hex> {
  if (!account.signTypedData && walletClient === undefined) {
    throw new SignerError(
      'SIGNER_MISSING',
      'There is no signer: give an account that signs by itself, or a walletClient.',
    )
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
