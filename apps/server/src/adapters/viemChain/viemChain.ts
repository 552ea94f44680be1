import { ChainUnavailableError, type QuoteDomain } from '@firmquote/core'
import { readLatestBlock, readQuoteStates } from '@firmquote/core/chain'
import { type Address, type Client, createClient, type Hex, http } from 'viem'
import { getBlock } from 'viem/actions'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import { createQuoteStateBatches } from './quoteStateBatches.ts'
import { chainUnavailable } from './rpcFailure.ts'
import { createSeriesCatalog } from './seriesCatalog.ts'

/** How long a node may take to answer, in milliseconds: an auction does not wait. */
const defaultTimeoutMs = 5_000

/** A client of one node, which answers in time or fails: one second try, no more. */
export function createRpcClient({
  rpcUrl,
  timeoutMs = defaultTimeoutMs,
}: {
  rpcUrl: string
  timeoutMs?: number
}): Client {
  return createClient({ transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1, retryDelay: 100 }) })
}

/** Where the chain's contracts are. */
export type ViemChainOptions = {
  client: Client
  clock: Pick<Clock, 'monotonic'>
  domain: QuoteDomain
  interestRatePool: Address
  deployBlock: number
  /** How many blocks of events are asked for at once, to begin with. */
  logWindow?: number
}

/** The chain behind a JSON-RPC node. */
export function createViemChain(options: ViemChainOptions): Chain {
  const { client, clock, domain, interestRatePool, deployBlock, logWindow } = options
  const loanTokens = new Map<Hex, Address>()
  const catalog = createSeriesCatalog({
    client,
    clock,
    interestRatePool,
    deployBlock,
    ...(logWindow === undefined ? {} : { window: logWindow }),
  })
  const readStates = createQuoteStateBatches((quotes) =>
    readQuoteStates(client, { domain, interestRatePool, quotes, loanTokens }),
  )
  return {
    readHead: () => guarded(() => readLatestBlock(client)),
    readGenesisHash: () => guarded(async () => (await getBlock(client, { blockNumber: 0n })).hash),
    readQuoteStates: (quotes) => guarded(() => readStates(quotes)),
    readSeriesOf: (poolId) => guarded(() => catalog.readSeriesOf(poolId)),
  }
}

async function guarded<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // What has no cause was written here; anything else may name the node's URL.
    if (error instanceof ChainUnavailableError && error.cause === undefined) throw error
    throw chainUnavailable(error)
  }
}
