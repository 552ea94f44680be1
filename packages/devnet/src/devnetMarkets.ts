import { type Address, encodeAbiParameters, type Hex, keccak256, parseUnits } from 'viem'
import { deployments, devnetAddresses } from './devnetAddresses.ts'

/** Morpho Blue market parameters. `lltv` is in WAD. */
export type MarketParams = {
  readonly loanToken: Address
  readonly collateralToken: Address
  readonly oracle: Address
  readonly irm: Address
  readonly lltv: bigint
}

/** A Morpho market and its pool. Amounts are in raw units. */
export type DevnetMarket = {
  readonly name: string
  readonly params: MarketParams
  /** Morpho's market id, which is also the pool's `market`. */
  readonly market: Hex
  readonly poolId: Hex
  /** The deployer's supply. */
  readonly supply: bigint
  /**
   * Initial debts of borrowers and newcomers, in order. Together with `supply`, the debts determine the floating rate.
   */
  readonly debts: {
    readonly borrowers: readonly [bigint, bigint, bigint]
    readonly newcomers: readonly [bigint, bigint, bigint, bigint]
  }
  /** Each borrower's collateral. */
  readonly collateral: bigint
}

const lltv = parseUnits('0.86', 18)

function usd(amount: number): bigint {
  return parseUnits(String(amount), 6)
}

function devnetMarket(
  name: string,
  collateralToken: Address,
  oracle: Address,
  amounts: Pick<DevnetMarket, 'supply' | 'debts' | 'collateral'>,
): DevnetMarket {
  const params = { loanToken: devnetAddresses.loanToken, collateralToken, oracle, irm: deployments.irm.address, lltv }
  const market = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [params.loanToken, params.collateralToken, params.oracle, params.irm, params.lltv],
    ),
  )
  const poolId = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'bytes32' }],
      [params.loanToken, devnetAddresses.morphoAdapter, market],
    ),
  )
  return { name, params, market, poolId, ...amounts }
}

/** The markets start at 75 % and 60 % utilization, which gives initial floating borrow APRs of 6.25 % and 5.2 %. */
export const devnetMarkets: readonly [DevnetMarket, DevnetMarket] = [
  devnetMarket('tUSD / tWETH', deployments.wethToken.address, deployments.wethOracle.address, {
    supply: usd(22_000_000),
    debts: {
      borrowers: [usd(3_000_000), usd(2_500_000), usd(2_000_000)],
      newcomers: [usd(3_000_000), usd(2_500_000), usd(2_000_000), usd(1_500_000)],
    },
    collateral: parseUnits('2000', 18),
  }),
  devnetMarket('tUSD / tBTC', deployments.btcToken.address, deployments.btcOracle.address, {
    supply: usd(17_000_000),
    debts: {
      borrowers: [usd(2_000_000), usd(1_600_000), usd(1_200_000)],
      newcomers: [usd(2_000_000), usd(1_600_000), usd(1_200_000), usd(600_000)],
    },
    collateral: parseUnits('50', 8),
  }),
]

/** Each backer's initial tUSD balance. */
export const backerBalance = usd(50_000_000)

/** Initial tUSD balance of each borrower and newcomer, in addition to the borrowed amount. */
export const borrowerBalance = usd(1_000_000)

/** Each series' cap: its maximum outstanding notional. */
export const seriesCap = usd(10_000_000)

/** Terms of each pool's series, in days, shortest first. */
export const seriesDays = [7, 30, 91, 182, 365] as const

const day = 86_400

/** Returns a series' expiry: the first 00:00 UTC at least `days` days after `now`. Times are in Unix seconds. */
export function seriesExpiry(now: number, days: number): number {
  return Math.ceil((now + days * day) / day) * day
}

/** Computes a series key as the pool contract does. */
export function seriesKeyOf(poolId: Hex, expiry: number): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint64' }], [poolId, BigInt(expiry)]))
}

/** Returns borrowers' and newcomers' total initial debt in a market, in raw units. */
export function borrowedAtStart({ debts }: Pick<DevnetMarket, 'debts'>): bigint {
  return [...debts.borrowers, ...debts.newcomers].reduce((sum, debt) => sum + debt, 0n)
}
