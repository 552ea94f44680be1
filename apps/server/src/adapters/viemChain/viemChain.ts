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
import { createChainEvents } from './chainEvents.ts'
import { createDebtReads } from './debtReads.ts'
import { createMarketReads } from './marketReads.ts'
import { createNodeTransport } from './nodeTransport.ts'
import { type BatchLimits, createQuoteStateBatches, type ReadStates } from './quoteStateBatches.ts'
import { chainUnavailable, type RpcFailureKind, rpcFailureKind } from './rpcFailure.ts'

/** Timeout for a request to the node, in milliseconds. The timeout is short because auctions do not wait. */
const defaultTimeoutMs = 5_000

/** Creates a client for one node, with a timeout and a single retry. */
export function createRpcClient({
  rpcUrl,
  timeoutMs = defaultTimeoutMs,
  onFailure = () => {},
}: {
  rpcUrl: string
  timeoutMs?: number
  /** Called for each failed request, including retries. */
  onFailure?: (kind: RpcFailureKind) => void
}): Client {
  const transport = createNodeTransport(rpcUrl, { timeoutMs, retryCount: 1, retryDelayMs: 100 })
  return createClient({
    transport: (options) => {
      const base = transport(options)
      const request: typeof base.request = async (...call) => {
        try {
          return await base.request(...call)
        } catch (error) {
          onFailure(rpcFailureKind(error))
          throw error
        }
      }
      return { ...base, request }
    },
  })
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
  const contractCalls = createContractCalls(client, { quoteMarket })
  const readBatch: ReadStates = (quotes) => {
    const now = clock.monotonic()
    if (now - readAt > maxPauseMs) sharedState = createSharedState()
    readAt = now
    return readQuoteStates(client, { quoteMarket, interestRatePool, quotes, loanTokens, sharedState, contractCalls })
  }
  const readStates = createQuoteStateBatches(readBatch)
  // Contract makers' quotes have separate batches, so that other quotes do not wait for makers' contracts.
  const readContractStates = createQuoteStateBatches(readBatch, contractBatches)
  // Sessions' and takers' contracts have separate limits, so that neither delays checks of quotes.
  const sessionCalls = createContractCalls(client, { quoteMarket })
  const readDebt = createDebtReads(client)
  const takerCalls = createContractCalls(client, { quoteMarket })
  const markets = createMarketReads({ client, quoteMarket, interestRatePool, loanTokens, contractCalls })
  return {
    readHead: () => guarded(async () => header(await getBlock(client, { blockTag: 'latest' }))),
    readFinalized: () => guarded(() => readFinalized(client)),
    readBlocks: (numbers) => guarded(() => readBlocks(client, numbers)),
    readChainId: () => guarded(() => getChainId(client)),
    readEvents: (range) => guarded(() => events.readEvents(range)),
    readBlockLogs: (blockHash) => guarded(() => events.readBlockLogs(blockHash)),
    readGenesisHash: () => guarded(async () => (await getBlock(client, { blockNumber: 0n })).hash),
    readQuoteStates: (quotes) =>
      guarded(() => (quotes.some(({ preview }) => preview) ? readContractStates : readStates)(quotes)),
    readKnownQuotes: (quotes) => guarded(() => markets.readKnownQuotes(quotes)),
    readCapacities: (seriesKeys) => guarded(() => readCapacities(client, { interestRatePool, seriesKeys })),
    readSignatures: (signatures) => sessionCalls.readSignatures(signatures, { timeoutMs: signaturesTimeoutMs }),
    readFunds: (request) => guarded(() => readFunds(client, { ...request, quoteMarket })),
    readMarkets: (request) => guarded(() => markets.readMarkets(request)),
    readAccount: (request) => guarded(() => readAccount(client, { ...request, interestRatePool, morphoMarkets })),
    readRates: (request) => guarded(() => readPastRates(client, request)),
    readDebt: (request) => guarded(() => readDebt(request)),
    async readTakerSignature(signature) {
      const [accepted = null] = await takerCalls.readSignatures([signature], { timeoutMs: signaturesTimeoutMs })
      return accepted
    },
  }
}

/** Maximum number of concurrent block requests. */
const blocksAtOnce = 20

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

async function guarded<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // Only this file creates errors without a cause. Other errors may contain the node's URL.
    if (error instanceof ChainUnavailableError && error.cause === undefined) throw error
    throw chainUnavailable(error)
  }
}
