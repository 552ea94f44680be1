import type { Address, Hex } from 'viem'

/** A position as the pool contract has it. Amounts in raw units of its loan token, times in Unix seconds. */
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

/** An amount of a loan token, raw units. */
export type TokenAmount = { loanToken: Address; decimals: number; amount: bigint }

/** What the maker has of a loan token, raw units. */
export type TokenHolding = Omit<TokenAmount, 'amount'> & { symbol: string; balance: bigint; allowance: bigint }

/** What the maker can pay transactions with. Wei. */
export type GasMoney = {
  gasPrice: bigint
  balance: bigint
  /** Whether a transaction of the maker is not part of a block yet. */
  isPending: boolean
}

/**
 * Positions on the chain, and what a maker's account can do about them. Reading throws `ChainUnavailableError` when the chain could
 * not be read; sending throws `TransactionError` when a transaction was not sent, was reverted, or is not part of a block yet.
 */
export type PositionChain = {
  /**
   * Checks that the keeper bundler settles positions of the pool.
   *
   * @throws {ConfigurationError} with what to change.
   */
  checkKeeper(): Promise<void>
  /** The positions of ids, at one block. Ids that there are not yet are left out. */
  readPositions(ids: readonly bigint[]): Promise<{ now: number; positions: ChainPosition[] }>
  /** Of positions those that a settlement in the newest block would settle, and what that would credit the maker with. */
  simulateSettlements(
    positions: readonly ChainPosition[],
  ): Promise<{ now: number; settlements: { positionId: bigint; freed: bigint; decimals: number }[] }>
  /**
   * Settles positions in one transaction, the first of them that fit into the gas.
   *
   * @returns what it has settled; null when it would settle nothing.
   */
  settleMany(
    ids: readonly bigint[],
    maxGas: bigint,
  ): Promise<{ transactionHash: Hex; settled: bigint[]; gasUsed: bigint } | null>
  /** What is credited to the maker of these tokens, those without anything left out. */
  readCredits(loanTokens: readonly Address[]): Promise<TokenAmount[]>
  /** Pays the maker all that it is credited with of a token. */
  withdraw(loanToken: Address): Promise<{ transactionHash: Hex }>
  readGasMoney(): Promise<GasMoney>
  /** Balances of tokens and allowances of the quote market, at one block. */
  readHoldings(loanTokens: readonly Address[]): Promise<{ now: number; holdings: TokenHolding[] }>
  /** The loan tokens of pools; pools that there are not are left out. */
  readLoanTokens(poolIds: readonly Hex[]): Promise<Address[]>
}
