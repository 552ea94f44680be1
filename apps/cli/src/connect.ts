import { ChainUnavailableError, getChainName, InvalidInputError } from '@firmquote/core'
import { type ClientConfig, ServiceClient } from '@firmquote/sdk'
import {
  type Address,
  type Chain,
  createPublicClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicClient,
} from 'viem'
import type { Context } from './context.ts'
import { UsageError } from './errors.ts'

/** Options for all commands that use the service. */
export type ServiceOptions = {
  url?: string
  json?: boolean
  chainId?: string
  quoteMarket?: string
  interestRatePool?: string
}

/** A client for a chain whose ID has been verified. */
export type ConnectedChain = PublicClient<HttpTransport, Chain>

/** Options for commands that use the chain. */
export type ChainOptions = { rpc?: string }

/** Creates a client for the service.
 *
 * @throws {InvalidInputError} if an option is malformed.
 */
export function connectService({ environment }: Pick<Context, 'environment'>, options: ServiceOptions): ServiceClient {
  const config: Partial<ClientConfig> = {}
  const orderbookUrl = options.url ?? environment['FIRMQUOTE_URL']
  if (orderbookUrl) config.orderbookUrl = parseServiceUrl(orderbookUrl)
  if (options.chainId !== undefined)
    config.chainId = /^\d+$/.test(options.chainId) ? Number(options.chainId) : Number.NaN
  // The SDK validates the addresses.
  if (options.quoteMarket !== undefined) config.quoteMarketAddress = options.quoteMarket as Address
  if (options.interestRatePool !== undefined) config.interestRatePoolAddress = options.interestRatePool as Address
  return new ServiceClient(config)
}

/**
 * Returns the chain and contracts that the options name, without connecting.
 *
 * @throws {InvalidInputError} if an option is malformed.
 */
export function resolveContracts(options: Omit<ServiceOptions, 'url'>) {
  const client = connectService({ environment: {} }, options)
  const { chainId, quoteMarketAddress, interestRatePoolAddress } = client.getConfig()
  return { chainId, quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress }
}

function parseServiceUrl(given: string): string {
  if (isHttpUrl(given)) return given
  throw new InvalidInputError('--url (or FIRMQUOTE_URL) must be the http:// or https:// URL of the service.')
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/**
 * Parses `--rpc` or `FIRMQUOTE_RPC_URL`. The URL may contain a key and is never shown. Returns undefined if neither the
 * option nor the variable is set.
 */
export function parseRpcUrl(context: Pick<Context, 'environment' | 'hide'>, { rpc }: ChainOptions): string | undefined {
  const given = rpc ?? context.environment['FIRMQUOTE_RPC_URL']
  if (!given) return undefined
  context.hide(given)
  if (isHttpUrl(given)) return given
  throw new UsageError('--rpc must be the http:// or https:// URL of a JSON-RPC node.')
}

/** Like {@link parseRpcUrl}, for commands that require a chain. */
export function requireRpcUrl(context: Pick<Context, 'environment' | 'hide'>, options: ChainOptions): string {
  const url = parseRpcUrl(context, options)
  if (url !== undefined) return url
  throw new UsageError('A chain node is required: set --rpc or FIRMQUOTE_RPC_URL.')
}

/**
 * Connects to a chain and verifies its ID.
 *
 * @throws {UsageError} if the node is on another chain.
 * @throws {ChainUnavailableError} if the node does not respond.
 */
export async function connectChain(rpcUrl: string, chainId: number): Promise<ConnectedChain> {
  const chain = defineChain({
    id: chainId,
    name: getChainName(chainId),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const publicClient = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 1_000 })
  const actual = await publicClient.getChainId().catch((cause: unknown) => {
    throw new ChainUnavailableError('The node at --rpc does not respond.', { cause })
  })
  if (actual !== chainId) throw new UsageError(`The node at --rpc is on chain ${actual}, not on chain ${chainId}.`)
  return publicClient
}
