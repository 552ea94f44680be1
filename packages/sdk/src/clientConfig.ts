import { INTEREST_RATE_POOL_ADDRESS, PRODUCTION_DEPLOYMENT, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { InvalidInputError } from '@firmquote/core'
import { type Address, getAddress, isAddress } from 'viem'
import { rejectMisnamedOptions } from './rejectMisnamedOptions.ts'

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

/** Maps the address names in the service's configuration to the option names. */
export const misnamedAddresses = {
  quoteMarket: 'quoteMarketAddress',
  interestRatePool: 'interestRatePoolAddress',
  keeperBundler: 'keeperBundlerAddress',
}

const misnamedConfig = {
  ...misnamedAddresses,
  url: 'orderbookUrl',
  baseUrl: 'orderbookUrl',
  endpoint: 'orderbookUrl',
}

/**
 * Applies defaults and validates the configuration. Addresses are checksummed (EIP-55). A trailing slash and `/api/v1`
 * are removed from the URL. `factoryAddress` is set to `interestRatePoolAddress`.
 *
 * @throws {InvalidInputError} if a field is malformed or misnamed.
 */
export function resolveClientConfig(given: Partial<ClientConfig> = {}): ClientConfig {
  const config = { ...given }
  rejectMisnamedOptions(config, misnamedConfig)
  const factoryAddress = checkedAddress(config.factoryAddress ?? INTEREST_RATE_POOL_ADDRESS, 'factoryAddress')
  const pool = checkedAddress(config.interestRatePoolAddress ?? factoryAddress, 'interestRatePoolAddress')
  return {
    orderbookUrl: checkedUrl(config.orderbookUrl ?? 'http://localhost:3005'),
    chainId: checkedChainId(config.chainId ?? PRODUCTION_DEPLOYMENT.chainId),
    factoryAddress: pool,
    quoteMarketAddress: checkedAddress(config.quoteMarketAddress ?? QUOTE_MARKET_ADDRESS, 'quoteMarketAddress'),
    interestRatePoolAddress: pool,
  }
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
  if (typeof address !== 'string' || !isAddress(address)) {
    throw new InvalidInputError('must be an address, all lower-case or with a valid EIP-55 checksum.', {
      path,
      given: address,
    })
  }
  return getAddress(address)
}

function checkedUrl(text: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidInputError('must be an http or https URL.', { path: 'orderbookUrl' })
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidInputError('must not have credentials, a query or a fragment.', { path: 'orderbookUrl' })
  }
  return url.href.replace(/\/+$/, '').replace(/\/+api\/v1$/, '')
}
