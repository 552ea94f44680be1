import { encodeFunctionData, type Hex, type HttpTransport, type PublicClient, type TestClient } from 'viem'
import { deployer } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { borrowedAtStart, type DevnetMarket, devnetMarkets } from './devnetMarkets.ts'
import { morphoAbi } from './generated/morpho.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { type DevnetTransaction, sendTransactions } from './sendTransactions.ts'

const { morpho, loanToken } = devnetAddresses
const from = deployer.address
const [hour, day] = [3_600, 86_400]
/** Number of recent days with a block every `closeStep`. Each earlier day has one block. */
const closeDays = 14
const closeStep = 6 * hour
/** Enough collateral and loan tokens for all simulated debts, in raw units. */
const plenty = 10n ** 24n

/**
 * Returns the times of rate changes, in Unix seconds, oldest first. The times are whole hours, from `days` days before
 * `now` to the hour of `now`. Pure.
 */
export function pastTimes(now: number, days: number): number[] {
  const last = Math.floor(now / hour) * hour
  const close = Math.min(days, closeDays) * day
  const times: number[] = []
  for (let before = days * day; before > close; before -= day) times.push(last - before)
  for (let before = close; before >= 0; before -= closeStep) times.push(last - before)
  return times
}

/**
 * Returns a market's simulated utilization some number of days ago, from 0 to 1. The curve consists of waves and noise,
 * and ends at the market's initial utilization. Pure.
 */
export function pastUtilisation(market: DevnetMarket, position: number, daysAgo: number): number {
  const today = Number(borrowedAtStart(market)) / Number(market.supply)
  const slow = 38 + 11 * position
  const waves = 0.115 * Math.sin(daysAgo / slow) + 0.05 * Math.sin(daysAgo / (slow / 4.2))
  const noise = 0.04 * Math.min(1, daysAgo) * scatter(Math.round(daysAgo * 4) + 10_000 * position)
  return Math.min(0.95, today - waves - noise)
}

/** Returns a deterministic pseudo-random number between -0.5 and 0.5. */
function scatter(place: number): number {
  const long = Math.sin(place * 12.9898) * 43_758.5453
  return long - Math.floor(long) - 0.5
}

function toMorpho(data: Hex): DevnetTransaction {
  return { from, to: morpho, data }
}

function mintAndApprove(token: DevnetTransaction['to'], amount: bigint): DevnetTransaction[] {
  const call = { abi: testTokenAbi } as const
  return [
    { from, to: token, data: encodeFunctionData({ ...call, functionName: 'mint', args: [from, amount] }) },
    { from, to: token, data: encodeFunctionData({ ...call, functionName: 'approve', args: [morpho, amount] }) },
  ]
}

/**
 * Simulates months in which the deployer lends and borrows varying amounts in the markets. Afterwards, the markets are
 * empty and the chain's clock matches the machine's.
 *
 * @param times The times of {@link pastTimes}, each later than the latest block.
 * @throws {DevnetError} `DEPLOYMENT_FAILED`.
 */
export async function advanceMonths(
  rpcUrl: string,
  clients: { publicClient: PublicClient<HttpTransport>; testClient: TestClient<'anvil', HttpTransport> },
  times: readonly number[],
): Promise<void> {
  const { publicClient, testClient } = clients
  const last = times.at(-1) ?? 0
  const borrowed = devnetMarkets.map(borrowedAtStart)
  const lentAt = (position: number, time: number) => {
    const market = devnetMarkets[position]
    if (!market) return 0n
    const utilisation = pastUtilisation(market, position, (last - time) / day)
    return ((borrowed[position] ?? 0n) * 1_000_000n) / BigInt(Math.round(utilisation * 1_000_000))
  }
  const first = times[0] ?? last
  const lent = devnetMarkets.map((_, position) => lentAt(position, first))
  await sendTransactions(rpcUrl, [
    ...mintAndApprove(loanToken, plenty),
    ...devnetMarkets.flatMap(({ params, collateral }, position) => [
      ...mintAndApprove(params.collateralToken, 4n * collateral),
      ...[
        encodeFunctionData({
          abi: morphoAbi,
          functionName: 'supply',
          args: [params, lent[position] ?? 0n, 0n, from, '0x'],
        }),
        encodeFunctionData({
          abi: morphoAbi,
          functionName: 'supplyCollateral',
          args: [params, 4n * collateral, from, '0x'],
        }),
        encodeFunctionData({
          abi: morphoAbi,
          functionName: 'borrow',
          args: [params, borrowed[position] ?? 0n, 0n, from, from],
        }),
      ].map(toMorpho),
    ]),
  ])

  for (const time of times) {
    await testClient.setNextBlockTimestamp({ timestamp: BigInt(time) })
    const changes = devnetMarkets.flatMap(({ params }, position) => {
      const next = lentAt(position, time)
      const more = next - (lent[position] ?? 0n)
      lent[position] = next
      if (more === 0n) return []
      return toMorpho(
        more > 0n
          ? encodeFunctionData({ abi: morphoAbi, functionName: 'supply', args: [params, more, 0n, from, '0x'] })
          : encodeFunctionData({ abi: morphoAbi, functionName: 'withdraw', args: [params, -more, 0n, from, from] }),
      )
    })
    await sendTransactions(rpcUrl, changes)
  }

  const { timestamp } = await publicClient.getBlock()
  const now = BigInt(Math.floor(Date.now() / 1_000))
  await testClient.setNextBlockTimestamp({ timestamp: now > timestamp ? now : timestamp + 1n })
  const position = (market: Hex) =>
    publicClient.readContract({ address: morpho, abi: morphoAbi, functionName: 'position', args: [market, from] })
  for (const { params, market } of devnetMarkets) {
    const [supplyShares, borrowShares, collateral] = await position(market)
    await sendTransactions(
      rpcUrl,
      [
        encodeFunctionData({ abi: morphoAbi, functionName: 'repay', args: [params, 0n, borrowShares, from, '0x'] }),
        encodeFunctionData({ abi: morphoAbi, functionName: 'withdraw', args: [params, 0n, supplyShares, from, from] }),
        encodeFunctionData({
          abi: morphoAbi,
          functionName: 'withdrawCollateral',
          args: [params, collateral, from, from],
        }),
      ].map(toMorpho),
    )
  }
}
