import { INTEREST_RATE_POOL_ADDRESS, PRODUCTION_DEPLOYMENT, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { InvalidInputError } from '@firmquote/core'
import { type Address, getAddress, isAddress } from 'viem'
import { rejectMisnamedOptions } from './rejectMisnamedOptions.ts'

/** The service of a client, and the contracts that it trusts. */
export type ClientConfig = {
  /** The service's base address, with or without `/api/v1`. Default `http://localhost:3005`. */
  orderbookUrl: string
  /** Default 8453. */
  chainId: number
  /** An older name of `interestRatePoolAddress`, which counts where both are given. */
  factoryAddress: Address
  /** Default: the generated production address. */
  quoteMarketAddress: Address
  /** Default: the generated production address. */
  interestRatePoolAddress: Address
}

/** What the service's own configuration calls the contracts' addresses, and the names here. */
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
 * Fills in the defaults and checks what was given. Addresses come out with their EIP-55 checksum, the URL without a
 * trailing slash and without `/api/v1`; `factoryAddress` is `interestRatePoolAddress`.
 *
 * @throws {InvalidInputError} when a field is malformed or misnamed.
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

/** The address of a service's backer channel: `http` becomes `ws`, the base path stays, `/ws/rfq` is added. */
export function backerChannelUrl(orderbookUrl: string): string {
  return `${orderbookUrl.replace(/^http/, 'ws')}/ws/rfq`
}

/** @throws {InvalidInputError} when it is not a positive whole number. */
export function checkedChainId(chainId: number): number {
  if (!Number.isSafeInteger(chainId) || chainId <= 0) {
    throw new InvalidInputError('must be a positive whole number.', { path: 'chainId', given: chainId })
  }
  return chainId
}

/** @throws {InvalidInputError} when it is not an address, or has a wrong checksum. */
export function checkedAddress(address: string, path: string): Address {
  if (typeof address !== 'string' || !isAddress(address)) {
    throw new InvalidInputError('must be an address, all lower-case or with a right EIP-55 checksum.', {
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
