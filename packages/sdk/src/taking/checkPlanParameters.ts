import { INTEREST_RATE_POOL_ADDRESS, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { checkedPositiveUint256, checkedUint256 } from '@firmquote/core/utils'
import { type Address, type Client, type Hex, isHex } from 'viem'
import type { BorrowerClient } from '../borrowerClient.ts'
import { checkSeconds } from '../checkSeconds.ts'
import { checkedAddress, checkedChainId, defaultChainId, misnamedAddresses } from '../clientConfig.ts'
import { InvalidInputError } from '../coreErrors.ts'
import type { CheckExecutabilityParameters } from '../executability/checkExecutability.ts'
import { checkChain, checkClient } from '../readChain.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import { accountOf } from './accountOf.ts'
import { checkedLimit, type PriceLimit } from './priceLimit.ts'

/** The caller's own request, with the auction's series. */
export type TakeRequest = {
  poolId: Hex
  seriesKey: Hex
  /** In raw units of the loan token. The total notional of the taken quotes never exceeds this amount. */
  notional: bigint
  /** Unix seconds. The series must not expire before this time. */
  expiry?: number | undefined
  /**
   * Unix seconds. The series must not expire after this time. For a request with a target expiry, the service chooses
   * the series.
   */
  latestExpiry?: number | undefined
  /** Minimum notional of a quote, in raw units. */
  minNotional?: bigint | undefined
  /**
   * The pool's loan token, from the service. A plan is empty if the node names another token, whose allowance the
   * account would otherwise be asked to grant.
   */
  loanToken?: Address | undefined
}

/**
 * The parameters of a plan: `{ client, request, limit, walletClient }`. Without a wallet client: `{ client, request,
 * limit, borrower, publicClient }`.
 */
export type PlanTakesParameters = Omit<
  CheckExecutabilityParameters,
  'request' | 'needed' | 'borrower' | 'publicClient'
> & {
  /** Provides the chain and the contracts' addresses. Default: the production deployment. */
  client?: Pick<BorrowerClient, 'getConfig'> | undefined
  /** The borrower's wallet. */
  walletClient?: Client | undefined
  /** The account that will take the quotes. Default: the wallet client's. */
  borrower?: Address | undefined
  /** Reads the chain. Default: the wallet client. */
  publicClient?: Client | undefined
  request: TakeRequest
  /** Maximum cost. Required. */
  limit: PriceLimit
  /** Notional that is already fixed, in raw units. Default 0. */
  fixed?: bigint | undefined
  /** Maximum number of quotes to take, 0 to 4. Default 4. */
  maxTakes?: number | undefined
  /** The earliest block to read. The node may not have a previous transaction's block yet. */
  since?: bigint | undefined
}

/** The parameters with defaults applied. */
export type CheckedPlanParameters = {
  [Name in keyof Omit<PlanTakesParameters, 'client' | 'walletClient'>]-?: NonNullable<PlanTakesParameters[Name]>
} & {
  /** The notional that remains to be fixed. */
  room: bigint
}

const mostTakes = 4

/** @throws {InvalidInputError} if a client is given that is not a {@link BorrowerClient}. */
export function checkServiceClient(client: Pick<BorrowerClient, 'getConfig'> | undefined): void {
  if (client === undefined || typeof client?.getConfig === 'function') return
  throw new InvalidInputError('must be a BorrowerClient or ServiceClient.', { path: 'client', given: client })
}

/** @throws {InvalidInputError} if a parameter is malformed or misnamed, or the limit is missing. */
export function checkPlanParameters(given: PlanTakesParameters): CheckedPlanParameters {
  const { client, walletClient, ...options } = { ...given }
  checkServiceClient(client)
  if (walletClient !== undefined) checkClient(walletClient, 'walletClient')
  const parameters = { ...client?.getConfig(), ...options }
  rejectMisnamedOptions(parameters, { ...misnamedAddresses, wallet: 'walletClient', account: 'borrower' })
  const { borrower = walletClient && accountOf(walletClient).address, publicClient = walletClient } = parameters
  checkClient(publicClient, 'publicClient')
  if (!borrower) throw new InvalidInputError('is required without a walletClient.', { path: 'borrower' })
  const request = { ...parameters.request }
  const { fixed = 0n, maxTakes = mostTakes, since = 0n } = parameters
  const { submissionWindowSeconds = 30, now = Math.floor(Date.now() / 1000) } = parameters
  checkedPositiveUint256(request.notional, 'request.notional')
  if (request.minNotional !== undefined) checkedUint256(request.minNotional, 'request.minNotional')
  checkedUint256(fixed, 'fixed')
  checkedUint256(since, 'since')
  if (request.loanToken !== undefined) checkedAddress(request.loanToken, 'request.loanToken')
  for (const [name, value] of Object.entries({ poolId: request.poolId, seriesKey: request.seriesKey })) {
    if (isHex(value) && value.length === 66) continue
    throw new InvalidInputError("must be 32 bytes of hex, as in the auction's result.", {
      path: `request.${name}`,
      given: value,
    })
  }
  if (!Number.isSafeInteger(maxTakes) || maxTakes < 0 || maxTakes > mostTakes) {
    throw new InvalidInputError(`must be an integer from 0 to ${mostTakes}.`, { path: 'maxTakes', given: maxTakes })
  }
  const seconds = {
    submissionWindowSeconds,
    now,
    'request.expiry': request.expiry ?? 0,
    'request.latestExpiry': request.latestExpiry ?? 0,
  }
  for (const [path, value] of Object.entries(seconds)) checkSeconds(value, path)
  const chainId = checkedChainId(parameters.chainId ?? defaultChainId)
  checkChain(publicClient, chainId, 'the quotes are for')
  const room = request.notional - fixed
  return {
    request,
    limit: checkedLimit(parameters.limit),
    borrower: checkedAddress(borrower, 'borrower'),
    publicClient,
    chainId,
    quoteMarketAddress: checkedAddress(parameters.quoteMarketAddress ?? QUOTE_MARKET_ADDRESS, 'quoteMarketAddress'),
    interestRatePoolAddress: checkedAddress(
      parameters.interestRatePoolAddress ?? INTEREST_RATE_POOL_ADDRESS,
      'interestRatePoolAddress',
    ),
    fixed,
    maxTakes,
    since,
    submissionWindowSeconds,
    now,
    room: room > 0n ? room : 0n,
  }
}
