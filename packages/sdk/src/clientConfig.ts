import { INTEREST_RATE_POOL_ADDRESS, PRODUCTION_DEPLOYMENT, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { guardInput, InvalidInputError } from '@firmquote/core'
import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'

/** The service of a client, and the contracts that it trusts. */
export type ClientConfig = {
  /** The service's base address. Default `http://localhost:3005`. */
  orderbookUrl: string
  /** Default 8453. */
  chainId: number
  /** An older name of `interestRatePoolAddress`, kept for compatibility. */
  factoryAddress: Address
  /** Default: the generated production address. */
  quoteMarketAddress: Address
  /** Default: the generated production address. */
  interestRatePoolAddress: Address
}

/**
 * Fills in the defaults and checks what was given. Addresses come out with their EIP-55 checksum, the URL without a
 * trailing slash.
 *
 * @throws {InvalidInputError} when a field is malformed, or `factoryAddress` and `interestRatePoolAddress` differ.
 */
export function resolveClientConfig(given: Partial<ClientConfig> = {}): ClientConfig {
  const config = guardInput('config', () => ({ ...given }))
  const pool = config.interestRatePoolAddress ?? config.factoryAddress ?? INTEREST_RATE_POOL_ADDRESS
  const interestRatePoolAddress = checkedAddress(pool, 'interestRatePoolAddress')
  const factoryAddress = checkedAddress(config.factoryAddress ?? pool, 'factoryAddress')
  if (!isAddressEqual(factoryAddress, interestRatePoolAddress)) {
    throw new InvalidInputError('is another name of interestRatePoolAddress and must not differ from it.', {
      path: 'factoryAddress',
    })
  }
  return {
    orderbookUrl: checkedUrl(config.orderbookUrl ?? 'http://localhost:3005'),
    chainId: checkedChainId(config.chainId ?? PRODUCTION_DEPLOYMENT.chainId),
    factoryAddress,
    quoteMarketAddress: checkedAddress(config.quoteMarketAddress ?? QUOTE_MARKET_ADDRESS, 'quoteMarketAddress'),
    interestRatePoolAddress,
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
  return url.href.replace(/\/+$/, '')
}
