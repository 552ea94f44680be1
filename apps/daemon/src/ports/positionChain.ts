import type { Address, Hex } from 'viem'

/**
 * A position as stored by the pool contract. Amounts are in raw units of the position's loan token, and times are in
 * Unix seconds.
 */
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

/** The maker's gas funds, in wei. */
export type GasFunds = {
  gasPrice: bigint
  balance: bigint
  /** Whether one of the maker's transactions is pending. */
  isPending: boolean
}

/**
 * Reads on-chain positions, and sends the maker's transactions. Reads throw `ChainUnavailableError`. Transactions throw
 * `TransactionError` if they were not sent, were reverted or have not been mined yet.
 */
export type PositionChain = {
  /**
   * Checks that the keeper bundler belongs to the pool.
   *
   * @throws {ConfigurationError} if a setting is wrong. The message says what to change.
   */
  checkKeeper(): Promise<void>
  /** Reads positions by id as of a single block. Omits ids that do not exist yet. */
  readPositions(ids: readonly bigint[]): Promise<{ now: number; positions: ChainPosition[] }>
  /**
   * Simulates settlements at the newest block. Returns the positions that would be settled, with the amount credited to
   * the maker.
   */
  simulateSettlements(
    positions: readonly ChainPosition[],
  ): Promise<{ now: number; settlements: { positionId: bigint; freed: bigint; decimals: number }[] }>
  /**
   * Settles as many of these positions as fit within `maxGas`, in order, in one transaction.
   *
   * @param maxFeePerGas in wei.
   * @returns what was settled, or null if not even one position fits.
   */
  settleMany(
    ids: readonly bigint[],
    maxGas: bigint,
    maxFeePerGas: bigint,
  ): Promise<{ transactionHash: Hex; settled: bigint[]; gasUsed: bigint } | null>
  /** Reads which of the series have a checkpoint, as of the newest block. `timestamp` is in Unix seconds. */
  readCheckpoints(seriesKeys: readonly Hex[]): Promise<{ number: bigint; timestamp: number; taken: Set<Hex> }>
  /**
   * Sends one transaction that observes these series: before a series' expiry it stores a reading, from the expiry on it
   * creates the checkpoint. Does not wait for the receipt, nor for earlier transactions.
   *
   * @param maxFeePerGas in wei.
   * @returns the transaction's hash.
   */
  observe(seriesKeys: readonly Hex[], maxFeePerGas: bigint): Promise<Hex>
  /** Reads the checkpoints that a transaction created. Empty if it has not been mined. `readAt` is in Unix seconds. */
  findCheckpoints(transactionHash: Hex): Promise<{ seriesKey: Hex; readAt: number }[]>
  /** Reads the maker's credits in these tokens. Tokens without credits are omitted. */
  readCredits(loanTokens: readonly Address[]): Promise<TokenAmount[]>
  /**
   * Withdraws all of the maker's credits in a token.
   *
   * @param maxFeePerGas in wei.
   */
  withdraw(loanToken: Address, maxFeePerGas: bigint): Promise<{ transactionHash: Hex }>
  readGasFunds(): Promise<GasFunds>
  /** Reads token balances and quote-market allowances as of a single block. */
  readHoldings(loanTokens: readonly Address[]): Promise<{ now: number; holdings: TokenHolding[] }>
  /** Reads the pools' loan tokens. Omits pools that do not exist. */
  readLoanTokens(poolIds: readonly Hex[]): Promise<Address[]>
}
