import { ChainUnavailableError } from '@firmquote/core'
import {
  createContractCalls,
  createSharedState,
  type MorphoMarket,
  readAccount,
  readCapacities,
  readFunds,
  readQuoteStates,
  readRates,
} from '@firmquote/core/chain'
import { type Clock, systemClock } from '@firmquote/core/utils'
import { type Address, type Block, type BlockTag, type Client, createClient, type Hex } from 'viem'
import { getBlock, getChainId } from 'viem/actions'
import type { BlockHeader, Chain, RatesRequest } from '../../ports/chain.ts'
import { withBudget, withoutBudget } from './callBudget.ts'
import { createChainEvents } from './chainEvents.ts'
import { createDebtReads } from './debtReads.ts'
import { createMarketReads } from './marketReads.ts'
import { createNodeHealth, type NodeHealth } from './nodeHealth.ts'
import { createNodeTransport, type NodeTransportFacts } from './nodeTransport.ts'
import { type BatchLimits, createQuoteStateBatches, type ReadStates } from './quoteStateBatches.ts'
import { chainUnavailable, isGarbage, type RpcFailureKind, rpcFailureKind } from './rpcFailure.ts'

/** Maximum time per attempt, in milliseconds. It is short because auctions do not wait, and reads may queue once. */
const defaultTimeoutMs = 1_600
/** Maximum time per request for logs, in milliseconds. Only the sync waits for it. */
const defaultLogsTimeoutMs = 5_000
/** Milliseconds for a read, relative to the time per attempt, so that a node that is silent once is asked again. */
const budgetFactor = 1.25

/** Creates a client for one node, with timeouts, retries and back-off. Times are in milliseconds. */
export function createRpcClient({
  rpcUrl,
  timeoutMs = defaultTimeoutMs,
  health = createNodeHealth(),
  onFailure = () => {},
}: {
  rpcUrl: string
  timeoutMs?: number
  health?: NodeHealth
  /** Called for each failed call, after its retries. */
  onFailure?: (kind: RpcFailureKind) => void
}): Client {
  const transport = createNodeTransport(rpcUrl, {
    timeoutMs,
    logsTimeoutMs: Math.max(timeoutMs, defaultLogsTimeoutMs),
    budgetMs: timeoutMs * budgetFactor,
    health,
    onFailure: (error) => onFailure(rpcFailureKind(error)),
  })
  return createClient({ transport })
}

/** Options of {@link createViemChain}. */
export type ViemChainOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** Maximum number of blocks per event request. Default: 10,000. */
  logWindow?: number
  /** Default: the system clock. */
  clock?: Pick<Clock, 'monotonic'>
}

/**
 * Milliseconds after which the last block's state is not reused. After this time, there is probably a new block, and
 * reusing the state would only lead to a second request.
 */
const maxPauseMs = 250

/** Minimum milliseconds for a batch of quotes that waited for its turn. */
const minBatchMs = 800

/** Time limit for one signature read, shared by the contracts of all sessions, in milliseconds. */
const signaturesTimeoutMs = 2_000

/**
 * Batches for contract makers. Batches are small, so that few quotes wait for one maker's contract; many may be in
 * flight.
 */
const contractBatches: BatchLimits = { quotes: 16, running: 16, gatherMs: 4 }

/** Creates the chain port for a JSON-RPC node. */
export function createViemChain(options: ViemChainOptions): Chain {
  const { client, quoteMarket, interestRatePool, logWindow = 10_000, clock = systemClock } = options
  const loanTokens = new Map<Hex, Address>()
  const morphoMarkets = new Map<Hex, MorphoMarket | null>()
  let sharedState = createSharedState()
  let readAt = clock.monotonic()
  const events = createChainEvents({ client, quoteMarket, interestRatePool, window: logWindow })
  const { budgetMs = defaultTimeoutMs * budgetFactor, health } = client.transport as Partial<NodeTransportFacts>
  // The limiter of contract calls has its own time limits, and runs a caller's call when another's has ended.
  const request: Client['request'] = (call) => withoutBudget(() => client.request(call as never))
  const contractClient: Client = { ...client, request }
  const within = <T>(read: () => Promise<T>) => guarded(() => withBudget(budgetMs, read), health)
  const contractCalls = createContractCalls(contractClient, { quoteMarket })
  const readBatch: ReadStates = (quotes, waitedMs = 0) => {
    const now = clock.monotonic()
    if (now - readAt > maxPauseMs) sharedState = createSharedState()
    readAt = now
    const known = { loanTokens, sharedState, contractCalls }
    // The wait for the batch counts, so that a silent node is reported in time.
    return withBudget(Math.max(minBatchMs, budgetMs - waitedMs), () =>
      readQuoteStates(client, { quoteMarket, interestRatePool, quotes, ...known }),
    )
  }
  const readStates = createQuoteStateBatches(readBatch)
  // Contract makers' quotes have separate batches, so that other quotes do not wait for makers' contracts.
  const readContractStates = createQuoteStateBatches(readBatch, contractBatches)
  // Sessions' and takers' contracts have separate limits, so that neither delays checks of quotes.
  const sessionCalls = createContractCalls(contractClient, { quoteMarket })
  const readDebt = createDebtReads(client)
  const takerCalls = createContractCalls(contractClient, { quoteMarket })
  const markets = createMarketReads({ client, quoteMarket, interestRatePool, loanTokens, contractCalls })
  const chain: Chain = {
    pin: () => chain,
    readHead: () => within(async () => header(await getBlock(client, { blockTag: 'latest' }))),
    readFinalized: () => within(() => readFinalized(client)),
    readBlocks: (numbers) => guarded(() => readBlocks(client, numbers), health),
    readChainId: () => within(() => getChainId(client)),
    readEvents: (range) => guarded(() => events.readEvents(range), health),
    readBlockLogs: (blockHash) => guarded(() => events.readBlockLogs(blockHash), health),
    readGenesisHash: () => within(async () => (await getBlock(client, { blockNumber: 0n })).hash),
    readQuoteStates: (quotes) =>
      guarded(() => (quotes.some(({ preview }) => preview) ? readContractStates : readStates)(quotes), health),
    readKnownQuotes: (quotes) => within(() => markets.readKnownQuotes(quotes)),
    readCapacities: (seriesKeys) => within(() => readCapacities(client, { interestRatePool, seriesKeys })),
    readSignatures: (signatures) => sessionCalls.readSignatures(signatures, { timeoutMs: signaturesTimeoutMs }),
    readFunds: (request) => within(() => readFunds(client, { ...request, quoteMarket })),
    readMarkets: (request) => within(() => markets.readMarkets(request)),
    readAccount: (request) => within(() => readAccount(client, { ...request, interestRatePool, morphoMarkets })),
    readRates: (request) => within(() => readPastRates(client, request)),
    readDebt: (request) => guarded(() => readDebt(request), health),
    async readTakerSignature(signature) {
      const [accepted = null] = await takerCalls.readSignatures([signature], { timeoutMs: signaturesTimeoutMs })
      return accepted
    },
  }
  return chain
}

/** Maximum number of blocks per batch. */
const blocksAtOnce = 100

async function readBlocks(client: Client, numbers: readonly bigint[]): Promise<BlockHeader[]> {
  const blocks: BlockHeader[] = []
  for (let start = 0; start < numbers.length; start += blocksAtOnce) {
    const some = numbers.slice(start, start + blocksAtOnce)
    blocks.push(
      ...(await Promise.all(some.map(async (blockNumber) => header(await getBlock(client, { blockNumber }))))),
    )
  }
  if (blocks.some(({ number }, index) => number !== numbers[index])) {
    throw new ChainUnavailableError('The node returned a different block from the one requested.')
  }
  return blocks
}

async function readPastRates(client: Client, request: RatesRequest): Promise<Map<Hex, bigint> | null> {
  try {
    return await readRates(client, request)
  } catch (error) {
    // Many nodes keep only the state of recent blocks.
    if (!(error instanceof ChainUnavailableError) && rpcFailureKind(error) === 'refused') return null
    throw error
  }
}

async function readFinalized(client: Client): Promise<BlockHeader | null> {
  try {
    return header(await getBlock(client, { blockTag: 'finalized' }))
  } catch (error) {
    // Many chains have no finalized block.
    if (rpcFailureKind(error) === 'refused') return null
    throw error
  }
}

function header({ number, hash, timestamp, parentHash, logsBloom }: Block<bigint, boolean, BlockTag>): BlockHeader {
  if (number === null || hash === null || logsBloom === null) {
    throw new ChainUnavailableError('The node returned a pending block.')
  }
  return { number, hash, timestamp, parentHash, logsBloom }
}

async function guarded<T>(read: () => Promise<T>, health?: NodeHealth): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isGarbage(error)) health?.ended('garbage')
    // Only this file creates errors without a cause. Other errors may contain the node's URL.
    if (error instanceof ChainUnavailableError && error.cause === undefined) throw error
    throw chainUnavailable(error)
  }
}
