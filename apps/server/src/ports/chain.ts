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

/** A pool: one market of one lending protocol. */
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

/** A fixed-rate position. Amounts in raw units of the loan token. */
export type Position = {
  positionId: bigint
  maker: Address
  borrower: Address
  poolId: Hex
  seriesKey: Hex
  notional: bigint
  cost: bigint
  /** The market's growth index at the opening. */
  index: bigint
  openedAtBlock: bigint
}

/** The payouts of a position, in raw units of the loan token, and their transaction. */
export type Settlement = { toBorrower: bigint; toMaker: bigint; blockNumber: bigint; transactionHash: Hex }

/** A block with the fields that the sync needs. */
export type BlockHeader = BlockRef & { parentHash: Hex; logsBloom: Hex }

/** An event's content, without its position in the chain. */
export type ChainFact =
  | { type: 'quoteEnded'; hash: Hex; status: 'filled' | 'cancelled' }
  | { type: 'nonceRaised'; maker: Address; nonce: bigint }
  | ({ type: 'poolCreated' } & Pool)
  | ({ type: 'seriesCreated' } & Series)
  | ({ type: 'positionOpened' } & Omit<Position, 'openedAtBlock'>)
  | { type: 'positionSettled'; positionId: bigint; toBorrower: bigint; toMaker: bigint }

/** An event of one of the contracts, with its position in the chain. */
export type ChainEvent = {
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  transactionHash: Hex
  fact: ChainFact
}

/** The fields by which a log can be found. */
export type LogKeys = { address: Address; topics: readonly Hex[] }

/** A request for the state of lending markets. */
export type MarketRequest = {
  pools: readonly Pool[]
  /** Series whose remaining capacity to read. */
  seriesKeys?: readonly Hex[]
  /** Whether to read the collateral of the pools' debts. */
  collateral?: true
  /** Quotes whose state to read. */
  quotes?: readonly QuoteStateQuery[]
}

/** A request for an account's state at a block. */
export type AccountRequest = {
  account: Address
  pools: readonly Pool[]
  /** Series whose indexes to read. */
  series: readonly OpenedSeries[]
  block: BlockRef
}

/** A request for an account's debt in a pool's market at a block. */
export type DebtRequest = { pool: Pool; account: Address; block: BlockRef }

/** A request for the floating rates of pools at a block. */
export type RatesRequest = { pools: readonly Pool[]; block: BlockHeader }

/** The state of markets at one block; a quote's state is null when the node cannot read it. */
export type MarketReading = MarketStates & { states: (QuoteState | null)[] }

/**
 * The service's reads from the chain. Every method throws {@link ChainUnavailableError} when the chain cannot be read;
 * no answer is a guess.
 */
export type Chain = {
  /** The newest block. */
  readHead(): Promise<BlockHeader>
  /** The newest finalized block; null when the node knows of none. */
  readFinalized(): Promise<BlockHeader | null>
  /** Blocks by number, in the order given. Throws if the node lacks one. */
  readBlocks(numbers: readonly bigint[]): Promise<BlockHeader[]>
  /** The chain id that the node itself reports. */
  readChainId(): Promise<number>
  /**
   * The contracts' events from block `from` through block `through`, in order. `through` is `to`, or earlier when the
   * node refuses so wide a range.
   */
  readEvents(range: { from: bigint; to: bigint }): Promise<{ through: bigint; events: ChainEvent[] }>
  /** Every log of one block, and the events of the watched contracts among them. */
  readBlockLogs(blockHash: Hex): Promise<{ logs: LogKeys[]; events: ChainEvent[] }>
  /** The hash of the first block, which distinguishes chains with the same id. */
  readGenesisHash(): Promise<Hex>
  /** Reads the state needed to judge the quotes, at one block. */
  readQuoteStates(quotes: readonly QuoteStateQuery[]): Promise<QuoteStates>
  /** Reads the same for a list that may be long; null for a quote that the node cannot read on its own. */
  readKnownQuotes(quotes: readonly QuoteStateQuery[]): Promise<Pick<MarketReading, 'block' | 'states'>>
  /** The remaining capacities of series at the newest block. */
  readCapacities(seriesKeys: readonly Hex[]): Promise<Capacities>
  /** Reads whether contracts accept signatures at the newest block; null where unknown. Never rejects. */
  readSignatures(signatures: readonly ContractSignature[]): Promise<(boolean | null)[]>
  /** The amounts of some tokens that makers could pay, all at one block. */
  readFunds(request: { makers: readonly Address[]; tokens: readonly Address[] }): Promise<Funds>
  /** Floating rates, capacity and the state of quotes, all at one block. */
  readMarkets(request: MarketRequest): Promise<MarketReading>
  /** An account's debts with their collateral, its credits, and the indexes of series, at exactly the given block. */
  readAccount(request: AccountRequest): Promise<AccountState>
  /**
   * The floating rates of pools at exactly the given block, WAD per second. A pool without a rate from its adapter is
   * left out. Null when the node lacks the state of that block.
   */
  readRates(request: RatesRequest): Promise<Map<Hex, bigint> | null>
  /** An account's debt with interest up to the block, in raw units of the pool's loan token. */
  readDebt(request: DebtRequest): Promise<bigint>
  /**
   * Reads whether a taker's contract accepts a signature, in a separate queue from backers' contracts; null if unknown.
   * Never rejects.
   */
  readTakerSignature(signature: ContractSignature): Promise<boolean | null>
}
