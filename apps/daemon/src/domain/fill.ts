import type { Address, Hex } from 'viem'

/** A fill of one of the maker's quotes as a block shows it. Amounts in raw units of the loan token. */
export type Fill = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  /** The borrower, who has taken it. */
  taker: Address
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  /** The expiry of the series, Unix seconds. */
  expiry: number
  notional: bigint
  /** What the taker has paid: the maker's premium. */
  cost: bigint
  positionId: bigint
  block: bigint
  transactionHash: Hex
}

/** When the hook is told of a fill: at its block, or only once that block can no longer be undone. */
export type HookMoment = 'filled' | 'final'

/** What the maker's hook is told. Amounts are decimal strings. */
export type FillNotice = {
  /** The quote's hash. A quote is filled or it is not, so this is the same in all that is told of one fill. */
  id: Hex
  /** `reverted`: the chain was reorganised, and the fill that was told before is gone. */
  event: 'filled' | 'reverted'
  /** Whether the service has told that the block can no longer be undone. */
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

/** Says what a hook is told of a fill, or of the end of one. */
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
