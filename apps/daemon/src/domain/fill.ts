import type { Address, Hex } from 'viem'

/** A fill of one of the maker's quotes, read from a block. Amounts are in raw units of the loan token. */
export type Fill = {
  /** EIP-712 digest of the quote. */
  hash: Hex
  /** The borrower who took the quote. */
  taker: Address
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  /** Expiry of the series, in Unix seconds. */
  expiry: number
  notional: bigint
  /** Amount paid by the taker, which is the maker's premium. */
  cost: bigint
  positionId: bigint
  block: bigint
  transactionHash: Hex
}

/** When to notify the hook: once the fill is in a block, or once that block is final. */
export type HookTiming = 'filled' | 'final'

/** Payload for the maker's fill hook. Amounts are decimal strings. */
export type FillNotice = {
  /** Hash of the quote. Identifies the fill in all notices about it. */
  id: Hex
  /** `reverted`: a reorganisation removed a previously reported fill. */
  event: 'filled' | 'reverted'
  /** Whether the service has reported the block as final. */
  final: boolean
  chainId: number
  quoteMarket: Address
  maker: Address
  taker: Address
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  expiry: number
  notional: string
  cost: string
  positionId: string
  block: number
  transactionHash: Hex
}

/** Builds the notice for a fill or a reverted fill. */
export function describeFill(
  fill: Fill,
  event: { event: FillNotice['event']; final: boolean },
  party: Pick<FillNotice, 'chainId' | 'quoteMarket' | 'maker'>,
): FillNotice {
  const { hash, taker, poolId, seriesKey, loanToken, expiry, transactionHash } = fill
  return {
    id: hash,
    ...event,
    ...party,
    taker,
    poolId,
    seriesKey,
    loanToken,
    expiry,
    notional: String(fill.notional),
    cost: String(fill.cost),
    positionId: String(fill.positionId),
    block: Number(fill.block),
    transactionHash,
  }
}
