import { ChainUnavailableError, type Clock, systemClock } from '@firmquote/core'
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
import { type Address, type Block, type BlockTag, type Client, createClient, type Hex } from 'viem'
import { getBlock, getChainId } from 'viem/actions'
import type { BlockHeader, Chain, RatesRequest } from '../../ports/chain.ts'
import { createChainEvents } from './chainEvents.ts'
import { createDebtReads } from './debtReads.ts'
import { createMarketReads } from './marketReads.ts'
import { createNodeTransport } from './nodeTransport.ts'
import { type BatchLimits, createQuoteStateBatches, type ReadStates } from './quoteStateBatches.ts'
import { chainUnavailable, type RpcFailureKind, rpcFailureKind } from './rpcFailure.ts'

/** How long a node may take to answer, in milliseconds: an auction does not wait. */
const defaultTimeoutMs = 5_000

/** A client of one node, which answers in time or fails: one second try, no more. */
export function createRpcClient({
  rpcUrl,
  timeoutMs = defaultTimeoutMs,
  onFailure = () => {},
}: {
  rpcUrl: string
  timeoutMs?: number
  /** Called for every request that failed, retries included. */
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

/** Where the chain's contracts are. */
export type ViemChainOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** How many blocks of events are asked for at once, at most. */
  logWindow?: number
  /** Default this machine's. */
  clock?: Pick<Clock, 'monotonic'>
}

/**
 * After a pause of so many milliseconds nothing is taken from the block that was read before: there is likely a new one,
 * where it would only cost a second request.
 */
const longestPause = 250

/** How long the contracts of all sessions together may take to be asked, in milliseconds. */
const signaturesTimeoutMs = 2_000

/** Few quotes wait for one maker's contract, and many batches may be under way. */
const contractBatches: BatchLimits = { quotes: 16, running: 16, gatherMs: 4 }

/** The chain behind a JSON-RPC node. */
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
    if (now - readAt > longestPause) sharedState = createSharedState()
    readAt = now
    return readQuoteStates(client, { quoteMarket, interestRatePool, quotes, loanTokens, sharedState, contractCalls })
  }
  const readStates = createQuoteStateBatches(readBatch)
  // Apart, so that no other quote waits for a maker's contract.
  const readContractStates = createQuoteStateBatches(readBatch, contractBatches)
  const readDebt = createDebtReads(client)
  // With places of its own: whatever contracts takers name, makers' are asked.
  const takerCalls = createContractCalls(client, { quoteMarket })
  const readMarkets = createMarketReads({ client, quoteMarket, interestRatePool, loanTokens, contractCalls })
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
    readKnownQuotes: (quotes) => guarded(() => readMarkets({ pools: [], quotes })),
    readCapacities: (seriesKeys) => guarded(() => readCapacities(client, { interestRatePool, seriesKeys })),
    readSignatures: (signatures) => contractCalls.readSignatures(signatures, { timeoutMs: signaturesTimeoutMs }),
    readFunds: (request) => guarded(() => readFunds(client, { ...request, quoteMarket })),
    readMarkets: (request) => guarded(() => readMarkets(request)),
    readAccount: (request) => guarded(() => readAccount(client, { ...request, interestRatePool, morphoMarkets })),
    readRates: (request) => guarded(() => readPastRates(client, request)),
    readDebt: (request) => guarded(() => readDebt(request)),
    async readTakerSignature(signature) {
      const [accepted = null] = await takerCalls.readSignatures([signature], { timeoutMs: signaturesTimeoutMs })
      return accepted
    },
  }
}

/** How many blocks are asked for at the same time. */
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
    throw new ChainUnavailableError('The node gave another block than the one asked for.')
  }
  return blocks
}

async function readPastRates(client: Client, request: RatesRequest): Promise<Map<Hex, bigint> | null> {
  try {
    return await readRates(client, request)
  } catch (error) {
    // Many nodes have the state of their newest blocks alone.
    if (!(error instanceof ChainUnavailableError) && rpcFailureKind(error) === 'refused') return null
    throw error
  }
}

async function readFinalized(client: Client): Promise<BlockHeader | null> {
  try {
    return header(await getBlock(client, { blockTag: 'finalized' }))
  } catch (error) {
    // Many chains have no such block.
    if (rpcFailureKind(error) === 'refused') return null
    throw error
  }
}

function header({ number, hash, timestamp, parentHash, logsBloom }: Block<bigint, boolean, BlockTag>): BlockHeader {
  if (number === null || hash === null || logsBloom === null) {
    throw new ChainUnavailableError('The node gave a block that is not part of the chain yet.')
  }
  return { number, hash, timestamp, parentHash, logsBloom }
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
