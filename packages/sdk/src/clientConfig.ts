import { INTEREST_RATE_POOL_ADDRESS, type PRODUCTION_DEPLOYMENT, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { type Address, getAddress, isAddress } from 'viem'
import { compareMarkets, type Market } from './compareMarkets.ts'
import { InvalidInputError } from './coreErrors.ts'
import { checkObject, rejectMisnamedOptions } from './rejectMisnamedOptions.ts'

/** The service that a client connects to and the contracts that it trusts. */
export type ClientConfig = {
  /** The service's base URL, with or without `/api/v1`. Default `http://localhost:3005`. */
  orderbookUrl: string
  /** Default 8453. */
  chainId: number
  /** Deprecated name of `interestRatePoolAddress`, which takes precedence. */
  factoryAddress: Address
  /** Default: the production address. */
  quoteMarketAddress: Address
  /** Default: the production address. */
  interestRatePoolAddress: Address
}

/** The configuration as given: any of its fields, or a deployment's chain and contracts at once. */
export type GivenConfig = Partial<ClientConfig> & {
  /** A deployment of the contracts, as `@firmquote/addresses` generates it. Replaces the chain and the addresses. */
  deployment?: Market | undefined
}

/** A constant, because importing the deployment would add its notes to every bundle. */
export const defaultChainId: typeof PRODUCTION_DEPLOYMENT.chainId = 8453

/** Maps the address names in the service's configuration to the option names. */
export const misnamedAddresses = {
  quoteMarket: 'quoteMarketAddress',
  interestRatePool: 'interestRatePoolAddress',
  keeperBundler: 'keeperBundlerAddress',
}

const productionContracts = {
  quoteMarket: QUOTE_MARKET_ADDRESS,
  interestRatePool: INTEREST_RATE_POOL_ADDRESS,
} as const

const misnamedConfig = {
  ...misnamedAddresses,
  url: 'orderbookUrl',
  baseUrl: 'orderbookUrl',
  endpoint: 'orderbookUrl',
  chain: 'chainId',
  privateKey: 'setPrivateKey',
  apiKey: 'the second argument',
  timeoutMs: 'the second argument',
}

/**
 * Applies defaults and validates the configuration. Addresses are checksummed (EIP-55). A trailing slash and `/api/v1`
 * are removed from the URL. `factoryAddress` is set to `interestRatePoolAddress`.
 *
 * @throws {InvalidInputError} if a field is malformed or misnamed, or contradicts the deployment.
 */
export function resolveClientConfig(given: GivenConfig = {}): ClientConfig {
  checkObject(given, 'config', '{ orderbookUrl }')
  const { deployment, ...config } = { ...given }
  rejectMisnamedOptions(config, misnamedConfig)
  if (deployment && !deployment.contracts) {
    throw new InvalidInputError('must be a deployment, such as PRODUCTION_DEPLOYMENT.', { path: 'deployment' })
  }
  const { chainId = defaultChainId, contracts = productionContracts } = deployment ?? {}
  const factoryAddress = checkedAddress(config.factoryAddress ?? contracts.interestRatePool, 'factoryAddress')
  const pool = checkedAddress(config.interestRatePoolAddress ?? factoryAddress, 'interestRatePoolAddress')
  const resolved = {
    orderbookUrl: checkedUrl(config.orderbookUrl ?? 'http://localhost:3005', 'orderbookUrl', 'http')
      .replace(/\/+$/, '')
      .replace(/\/+api\/v1$/, ''),
    chainId: checkedChainId(config.chainId ?? chainId),
    factoryAddress: pool,
    quoteMarketAddress: checkedAddress(config.quoteMarketAddress ?? contracts.quoteMarket, 'quoteMarketAddress'),
    interestRatePoolAddress: pool,
  }
  if (deployment) compareMarkets(resolved, { chainId, contracts }, 'the deployment has')
  return resolved
}

/** Returns the URL of a service's backer channel. Replaces `http` with `ws` and appends `/ws/rfq` to the base path. */
export function backerChannelUrl(orderbookUrl: string): string {
  return `${orderbookUrl.replace(/^http/, 'ws')}/ws/rfq`
}

/** @throws {InvalidInputError} if it is not a positive integer. */
export function checkedChainId(chainId: number): number {
  if (!Number.isSafeInteger(chainId) || chainId <= 0) {
    throw new InvalidInputError('must be a positive integer.', { path: 'chainId', given: chainId })
  }
  return chainId
}

/** @throws {InvalidInputError} if it is not an address or its checksum is wrong. */
export function checkedAddress(address: string, path: string): Address {
  if (address === null) {
    throw new InvalidInputError('is null. Call setPrivateKey or setAccount first.', { path })
  }
  if (typeof address !== 'string' || !isAddress(address)) {
    throw new InvalidInputError('must be an address, all lower-case or with a valid EIP-55 checksum.', {
      path,
      given: address,
    })
  }
  return getAddress(address)
}

/** @throws {InvalidInputError} if it is not a URL of the scheme `http` or `ws`, encrypted or not. */
export function checkedUrl(text: string, path: string, scheme: 'http' | 'ws'): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  const isPlain = url && !(url.username || url.password || url.search || url.hash)
  if (isPlain && [`${scheme}:`, `${scheme}s:`].includes(url.protocol)) return url.href
  // The error omits the URL, which may contain credentials.
  throw new InvalidInputError(
    `must be a URL like ${scheme}://localhost:3005, without credentials, query or fragment.`,
    {
      path,
    },
  )
}
