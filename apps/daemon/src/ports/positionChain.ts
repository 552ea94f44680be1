import type { Address, Hex } from 'viem'

/** A position as the pool contract stores it. Amounts are in raw units of its loan token, times in Unix seconds. */
export type ChainPosition = {
  positionId: bigint
  maker: Address
  borrower: Address
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  openedAt: number
  expiry: number
  settled: boolean
  notional: bigint
}

/** An amount of a loan token, in raw units. */
export type TokenAmount = { loanToken: Address; decimals: number; amount: bigint }

/** The maker's funds in a loan token, in raw units. */
export type TokenHolding = Omit<TokenAmount, 'amount'> & { symbol: string; balance: bigint; allowance: bigint }

/** The maker's funds for gas, in wei. */
export type GasFunds = {
  gasPrice: bigint
  balance: bigint
  /** Whether a transaction of the maker is pending. */
  isPending: boolean
}

/**
 * Positions on the chain, and transactions of the maker. Reads throw `ChainUnavailableError`. Transactions throw
 * `TransactionError` if they were not sent, were reverted, or are not mined yet.
 */
export type PositionChain = {
  /**
   * Checks that the keeper bundler belongs to the pool.
   *
   * @throws {ConfigurationError} with what to change.
   */
  checkKeeper(): Promise<void>
  /** Reads positions by id at one block. Ids that do not exist yet are left out. */
  readPositions(ids: readonly bigint[]): Promise<{ now: number; positions: ChainPosition[] }>
  /** Simulates settlements at the newest block. Returns the positions that would be settled, with the maker's credit. */
  simulateSettlements(
    positions: readonly ChainPosition[],
  ): Promise<{ now: number; settlements: { positionId: bigint; freed: bigint; decimals: number }[] }>
  /**
   * Settles the first of these positions that fit into the gas, in one transaction.
   *
   * @returns what was settled, or null if nothing would be.
   */
  settleMany(
    ids: readonly bigint[],
    maxGas: bigint,
  ): Promise<{ transactionHash: Hex; settled: bigint[]; gasUsed: bigint } | null>
  /** Reads the maker's credits in these tokens. Tokens without credits are left out. */
  readCredits(loanTokens: readonly Address[]): Promise<TokenAmount[]>
  /** Withdraws all of the maker's credits in a token. */
  withdraw(loanToken: Address): Promise<{ transactionHash: Hex }>
  readGasFunds(): Promise<GasFunds>
  /** Reads balances and quote-market allowances of tokens at one block. */
  readHoldings(loanTokens: readonly Address[]): Promise<{ now: number; holdings: TokenHolding[] }>
  /** Loan tokens of pools. Pools that do not exist are left out. */
  readLoanTokens(poolIds: readonly Hex[]): Promise<Address[]>
}
