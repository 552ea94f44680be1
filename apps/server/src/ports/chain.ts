import type { BlockRef, QuoteState } from '@firmquote/core'
import type {
  AccountState,
  Capacities,
  ContractSignature,
  Funds,
  MarketStates,
  OpenedSeries,
  QuoteStateQuery,
  QuoteStates,
} from '@firmquote/core/chain'
import type { Address, Hex } from 'viem'

/** A pool: one market on one lending protocol. */
export type Pool = { poolId: Hex; loanToken: Address; adapter: Address; market: Hex }

/** A fixed-rate term of a pool. */
export type Series = {
  poolId: Hex
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
  /** The maximum notional, in raw units of the loan token. */
  cap: bigint
}

/** A fixed-rate position. Amounts are in raw units of the loan token. */
export type Position = {
  positionId: bigint
  maker: Address
  borrower: Address
  poolId: Hex
  seriesKey: Hex
  notional: bigint
  cost: bigint
  /** The market's growth index when the position was opened. */
  index: bigint
  openedAtBlock: bigint
}

/** A position's payouts, in raw units of the loan token, and the transaction that paid them. */
export type Settlement = { toBorrower: bigint; toMaker: bigint; blockNumber: bigint; transactionHash: Hex }

/** The fields of a block that the sync uses. */
export type BlockHeader = BlockRef & { parentHash: Hex; logsBloom: Hex }

/** An event's content, without its position in the chain. */
export type ChainFact =
  | { type: 'quoteEnded'; hash: Hex; status: 'filled' | 'cancelled' }
  | { type: 'nonceRaised'; maker: Address; nonce: bigint }
  | ({ type: 'poolCreated' } & Pool)
  | ({ type: 'seriesCreated' } & Series)
  | ({ type: 'positionOpened' } & Omit<Position, 'openedAtBlock'>)
  | { type: 'positionSettled'; positionId: bigint; toBorrower: bigint; toMaker: bigint }

/** An event emitted by one of the contracts, and its position in the chain. */
export type ChainEvent = {
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  transactionHash: Hex
  fact: ChainFact
}

/** The fields used to filter logs. */
export type LogKeys = { address: Address; topics: readonly Hex[] }

/** A request for the state of lending markets. */
export type MarketRequest = {
  pools: readonly Pool[]
  /** Series whose remaining capacity to read. */
  seriesKeys?: readonly Hex[]
  /** Whether to also read the collateral, the limit and the utilization of the pools' markets. */
  terms?: true
}

/** A request for an account's state at a block. */
export type AccountRequest = {
  account: Address
  pools: readonly Pool[]
  /** Series whose indexes are read. */
  series: readonly OpenedSeries[]
  block: BlockRef
}

/** A request for an account's debt in a pool's market at a given block. */
export type DebtRequest = {
  pool: Pool
  account: Address
  /** With `parentHash`, the read fails if the node's block has another parent. */
  block: { number: bigint; parentHash?: Hex | undefined }
}

/** A debt in raw units of the pool's loan token, and its market's index in RAY, both including interest up to a block. */
export type DebtReading = { debt: bigint; index: bigint }

/** A request for the pools' floating rates at a given block. */
export type RatesRequest = { pools: readonly Pool[]; block: BlockHeader }

/**
 * Reads the chain for the service. Every method throws {@link ChainUnavailableError} if the chain cannot be read; no
 * method returns a guess.
 */
export type Chain = {
  /** The chain as read by the node in use, and only by it. The same object is returned until another node is in use. */
  pin(): Chain
  /** The newest block. */
  readHead(): Promise<BlockHeader>
  /** Reads the newest finalized block; null if the node reports none. */
  readFinalized(): Promise<BlockHeader | null>
  /** Reads blocks by number, in the order requested. Throws if the node is missing one of the blocks. */
  readBlocks(numbers: readonly bigint[]): Promise<BlockHeader[]>
  /** Reads the node's chain ID. */
  readChainId(): Promise<number>
  /**
   * Reads the contracts' events from block `from` through block `through`, in order. `through` equals `to`, or is lower
   * if the node refuses so large a range.
   */
  readEvents(range: { from: bigint; to: bigint }): Promise<{ through: bigint; events: ChainEvent[] }>
  /** Reads every log in a block, together with the watched contracts' events. */
  readBlockLogs(blockHash: Hex): Promise<{ logs: LogKeys[]; events: ChainEvent[] }>
  /** Reads the hash of the genesis block, which distinguishes chains with the same ID. */
  readGenesisHash(): Promise<Hex>
  /** Reads the state needed to judge quotes, all at a single block. */
  readQuoteStates(quotes: readonly QuoteStateQuery[]): Promise<QuoteStates>
  /**
   * Like `readQuoteStates`, for lists of any length. A state is null if the node cannot read it even in a separate
   * call.
   */
  readKnownQuotes(quotes: readonly QuoteStateQuery[]): Promise<{ block: BlockRef; states: (QuoteState | null)[] }>
  /** The remaining capacities of series at the newest block. */
  readCapacities(seriesKeys: readonly Hex[]): Promise<Capacities>
  /** Reads whether contracts accept signatures at the newest block. Null means unknown. Never rejects. */
  readSignatures(signatures: readonly ContractSignature[]): Promise<(boolean | null)[]>
  /** Reads how much of each token each maker can pay, all at a single block. */
  readFunds(request: { makers: readonly Address[]; tokens: readonly Address[] }): Promise<Funds>
  /** Floating rates and capacities, all at a single block. */
  readMarkets(request: MarketRequest): Promise<MarketStates>
  /**
   * Reads an account's debts with their collateral, its credits, and the indexes of the requested series, all at
   * exactly the given block.
   */
  readAccount(request: AccountRequest): Promise<AccountState>
  /**
   * Reads the pools' floating rates at exactly the given block, in WAD per second. The result omits pools whose adapter
   * returns no rate. Returns null if the node does not have that block's state.
   */
  readRates(request: RatesRequest): Promise<Map<Hex, bigint> | null>
  /** Reads an account's debt and the market's index; null if the pool's adapter returns none, or did not exist yet. */
  readDebt(request: DebtRequest): Promise<DebtReading | null>
  /**
   * Reads whether a taker's contract accepts a signature. Null means unknown. Calls to takers' contracts are queued
   * separately from calls to backers' contracts. Never rejects.
   */
  readTakerSignature(signature: ContractSignature): Promise<boolean | null>
}
