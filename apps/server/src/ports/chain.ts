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
  /** Most notional that it may ever take, in raw units of the loan token. */
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
  /** The market's growth index when it was opened. */
  index: bigint
  openedAtBlock: bigint
}

/** What a position paid its parties, in raw units of the loan token, and where. */
export type Settlement = { toBorrower: bigint; toMaker: bigint; blockNumber: bigint; transactionHash: Hex }

/** A block as the sync sees it. */
export type BlockHeader = BlockRef & { parentHash: Hex; logsBloom: Hex }

/** What happened, without where. */
export type ChainFact =
  | { type: 'quoteEnded'; hash: Hex; status: 'filled' | 'cancelled' }
  | { type: 'nonceRaised'; maker: Address; nonce: bigint }
  | ({ type: 'poolCreated' } & Pool)
  | ({ type: 'seriesCreated' } & Series)
  | ({ type: 'positionOpened' } & Omit<Position, 'openedAtBlock'>)
  | { type: 'positionSettled'; positionId: bigint; toBorrower: bigint; toMaker: bigint }

/** An event of one of the contracts, with where it is. */
export type ChainEvent = {
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  transactionHash: Hex
  fact: ChainFact
}

/** What a log can be found by. */
export type LogKeys = { address: Address; topics: readonly Hex[] }

/** What is wanted of the lending markets. */
export type MarketRequest = {
  pools: readonly Pool[]
  /** Series whose remaining capacity is wanted. */
  seriesKeys?: readonly Hex[]
  /** Whether it is wanted what is put up against the pools' debts. */
  collateral?: true
  /** Quotes whose state is wanted. */
  quotes?: readonly QuoteStateQuery[]
}

/** What is wanted of an account, at a block. */
export type AccountRequest = {
  account: Address
  pools: readonly Pool[]
  /** Series whose indexes are wanted. */
  series: readonly OpenedSeries[]
  block: BlockRef
}

/** A debt that is wanted: of an account in the market of a pool, at a block. */
export type DebtRequest = { pool: Pool; account: Address; block: BlockRef }

/** Floating rates that are wanted, of pools at a block. */
export type RatesRequest = { pools: readonly Pool[]; block: BlockHeader }

/** All of it at one block; a state is null when the node cannot read that one quote. */
export type MarketReading = MarketStates & { states: (QuoteState | null)[] }

/**
 * What the service reads from the chain. Every method throws {@link ChainUnavailableError} when the chain cannot be
 * read: an answer is never a guess.
 */
export type Chain = {
  /** The newest block. */
  readHead(): Promise<BlockHeader>
  /** The newest block that can no longer be undone; null when the node knows of none. */
  readFinalized(): Promise<BlockHeader | null>
  /** Blocks by their numbers, in their order. One that the node does not have is an error. */
  readBlocks(numbers: readonly bigint[]): Promise<BlockHeader[]>
  /** The id that the node itself says that its chain has. */
  readChainId(): Promise<number>
  /**
   * Events of the contracts in the blocks from `from` through `through`, in their order. `through` is `to`, or earlier
   * when the node refuses so wide a range.
   */
  readEvents(range: { from: bigint; to: bigint }): Promise<{ through: bigint; events: ChainEvent[] }>
  /** Every log of one block, of any contract, and the events of these contracts among them. */
  readBlockLogs(blockHash: Hex): Promise<{ logs: LogKeys[]; events: ChainEvent[] }>
  /** The hash of the first block: tells one chain from another with the same id. */
  readGenesisHash(): Promise<Hex>
  /** All state that judging the quotes needs, at one block. */
  readQuoteStates(quotes: readonly QuoteStateQuery[]): Promise<QuoteStates>
  /** The same for a list of quotes that may be long; null for one that the node cannot read by itself. */
  readKnownQuotes(quotes: readonly QuoteStateQuery[]): Promise<Pick<MarketReading, 'block' | 'states'>>
  /** What series can still take, at the newest block. */
  readCapacities(seriesKeys: readonly Hex[]): Promise<Capacities>
  /** Whether contracts accept signatures at the newest block; null for what is not known. Never rejects. */
  readSignatures(signatures: readonly ContractSignature[]): Promise<(boolean | null)[]>
  /** What makers could pay of some tokens, all at one block. */
  readFunds(request: { makers: readonly Address[]; tokens: readonly Address[] }): Promise<Funds>
  /** Floating rates, capacity and the state of quotes, all at one block. */
  readMarkets(request: MarketRequest): Promise<MarketReading>
  /** An account's debts with what secures them, its credits, and the indexes of series, at exactly the block that is named. */
  readAccount(request: AccountRequest): Promise<AccountState>
  /**
   * The floating rates of pools at exactly the block that is named, WAD per second; one whose adapter gave none there is left out.
   * Null when the node does not have the state of that block.
   */
  readRates(request: RatesRequest): Promise<Map<Hex, bigint> | null>
  /** What an account owes, with the interest up to the block, in raw units of the pool's loan token. */
  readDebt(request: DebtRequest): Promise<bigint>
  /** The same of a taker's contract, which waits for no backer's; null when it is not known. Never rejects. */
  readTakerSignature(signature: ContractSignature): Promise<boolean | null>
}
