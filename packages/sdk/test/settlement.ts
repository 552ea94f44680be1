// Debts, positions and other accounts' actions on the devnet, for tests of settling and repaying.

import { createBatchWallet, devnetAddresses, interestRatePoolAbi, morphoAbi, rateAdapterAbi } from '@firmquote/devnet'
import { type Address, createClient, custom, erc20Abi, type Hex, type Log, parseAbi, parseEventLogs } from 'viem'
import {
  planSettlement,
  type Repayment,
  readSettlement,
  repaidAmount,
  type SettlementCall,
  type SettlementPlan,
  sendCalls,
} from '../src/index.ts'
import { devnet, mined, testMaker } from './testDevnet.ts'

/** A pool and its Morpho market. */
export type Market = { poolId: Hex; market: Hex; loanToken: Address; seriesKey: Hex; expiry: bigint }

/** A devnet pool's nearest series, and its market. */
export function marketOf(pool: 0 | 1): Market {
  const { poolId, market, series } = devnet.pools[pool]
  const { seriesKey = '0x', expiry = 0 } = series[0] ?? {}
  return { poolId, market, loanToken: devnet.contracts.loanToken, seriesKey, expiry: BigInt(expiry) }
}

export const borrower = () => devnet.borrowers[0]
/** An account that is no party to a position, with tokens and an allowance for Morpho. */
export const stranger = () => devnet.backers[2]

const repayEvent = parseAbi([
  'event Repay(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)',
])
const morpho = { address: devnetAddresses.morpho, abi: morphoAbi } as const
const pool = () => ({ address: devnet.contracts.interestRatePool, abi: interestRatePoolAbi }) as const

async function paramsOf(market: Hex) {
  const [loanToken, collateralToken, oracle, irm, lltv] = await devnet.publicClient.readContract({
    ...morpho,
    functionName: 'idToMarketParams',
    args: [market],
  })
  return { loanToken, collateralToken, oracle, irm, lltv }
}

/** The borrower's shares of a market's debt. */
export async function sharesOf({ market }: Market): Promise<bigint> {
  const args = [market, borrower().address] as const
  return (await devnet.publicClient.readContract({ ...morpho, functionName: 'position', args }))[1]
}

/** The borrower's debt at the latest block, as computed by the contract. */
export function debtOf({ market }: Market): Promise<bigint> {
  return devnet.publicClient.readContract({
    address: devnet.contracts.morphoAdapter,
    abi: rateAdapterAbi,
    functionName: 'debtOf',
    args: [market, borrower().address],
  })
}

/** The borrower's debt in a future block with this time. */
async function debtAt(market: Market, timestamp: bigint): Promise<bigint> {
  const before = await devnet.testClient.snapshot()
  await testMaker.travelTo(timestamp)
  const debt = await debtOf(market)
  await devnet.testClient.revert({ id: before })
  return debt
}

/** Everything that settling and repaying can change. */
export async function belongings(...markets: Market[]) {
  const { address: account } = borrower()
  const { publicClient } = devnet
  return Promise.all(
    markets.map(async (market) => {
      const token = { address: market.loanToken, abi: erc20Abi } as const
      const [balance, allowance, credit, shares] = await Promise.all([
        publicClient.readContract({ ...token, functionName: 'balanceOf', args: [account] }),
        publicClient.readContract({ ...token, functionName: 'allowance', args: [account, devnet.contracts.morpho] }),
        publicClient.readContract({ ...pool(), functionName: 'credits', args: [account, market.loanToken] }),
        sharesOf(market),
      ])
      return { balance, allowance, credit, shares }
    }),
  )
}

/** Opens a position of the borrower. */
export async function open({ poolId, seriesKey }: Market, notional: bigint): Promise<bigint> {
  const terms = await testMaker.quote({ poolId, seriesKey, notional, vrtAmount: 1n })
  return (await testMaker.take(terms, await testMaker.sign(terms), { by: borrower() })).positionId
}

/** Moves to the end of a series, and creates its checkpoint unless `checkpoint` is false. */
export async function mature({ seriesKey, expiry }: Market, checkpoint = true): Promise<void> {
  if ((await testMaker.now()) < expiry) await testMaker.travelTo(expiry)
  if (checkpoint) await mined(stranger(), { ...pool(), functionName: 'checkpoint', args: [seriesKey], gas: 1_000_000n })
}

export async function settle(positionId: bigint): Promise<void> {
  await mined(stranger(), { ...pool(), functionName: 'settle', args: [positionId], gas: 1_000_000n })
}

/** The stranger repays part of the borrower's debt, in raw units or shares. */
export async function repayFor({ market }: Market, { assets = 0n, shares = 0n }): Promise<void> {
  const params = await paramsOf(market)
  const args = [params, assets, shares, borrower().address, '0x']
  await mined(stranger(), { ...morpho, functionName: 'repay', args, gas: 1_000_000n })
}

/** Repays the borrower's debt down to an amount at the latest block. */
export async function leaveDebt(market: Market, amount: bigint): Promise<void> {
  await repayFor(market, { assets: (await debtOf(market)) - amount })
}

/** Lowers the collateral's price, and liquidates a part of the debt, in thousandths of its shares or all collateral. */
export async function liquidate(market: Market, price: string, part: bigint | 'all'): Promise<void> {
  const { address } = borrower()
  const args = [market.market, address] as const
  const [, shares, collateral] = await devnet.publicClient.readContract({ ...morpho, functionName: 'position', args })
  await devnet.setPrice(market.market, price)
  const amounts = part === 'all' ? [collateral, 0n] : [0n, (shares * part) / 1_000n]
  const given = [await paramsOf(market.market), address, ...amounts, '0x']
  const { status } = await mined(stranger(), { ...morpho, functionName: 'liquidate', args: given, gas: 1_000_000n })
  if (status !== 'success') throw new Error('The position is healthy at this price.')
}

/** How calls are sent: as one atomic batch of the wallet (EIP-5792), or in a transaction each. */
export type Way = 'together' | 'one by one'

/** What a run repaid, and how often its calls reverted. */
export type Run = { reverts: number; repaid: bigint[]; owed: bigint[]; shares: bigint; plans: SettlementPlan[] }

/**
 * Settles, withdraws and repays as documented: when calls revert, reads and plans again. `meanwhile` happens between the
 * plan of the repayment and its sending.
 */
export async function run(
  way: Way,
  positionIds: readonly bigint[],
  markets: readonly Market[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Run> {
  const { address: account } = borrower()
  const result: Run = { reverts: 0, repaid: [], owed: [], shares: 0n, plans: [] }
  const plan = async (withdrawn: boolean) => {
    const reading = await readSettlement(devnet.publicClient, { account, positionIds })
    const planned = planSettlement(reading, { repay: true, withdrawn })
    result.plans.push(planned)
    return planned
  }
  const note = ({ logs, repayments }: { logs: Log[]; repayments: readonly Repayment[] }) => {
    for (const { lender, market } of repayments) result.repaid.push(repaidAmount(logs, { lender, market, account }))
    for (const { args } of parseEventLogs({ abi: repayEvent, eventName: 'Repay', logs })) result.shares += args.shares
  }
  if (way === 'together') {
    const first = await plan(false)
    await meanwhile()
    for (let planned = first; ; planned = await plan(false)) {
      if (planned.calls.length === 0) return result
      const owed = await nextBlock(markets)
      const before = await belongings(...markets)
      const { status, logs } = await sendTogether(planned.calls)
      if (status === 'success') {
        note({ logs, repayments: planned.repayments })
        return { ...result, owed }
      }
      if (JSON.stringify(before, withText) !== JSON.stringify(await belongings(...markets), withText)) {
        throw new Error('A reverted batch changed something.')
      }
      result.reverts += 1
      if (result.reverts > 3) throw new Error('stuck')
    }
  }
  const isFirst = ({ purpose }: SettlementCall) => purpose === 'settle' || purpose === 'withdraw'
  for (const call of (await plan(false)).calls.filter(isFirst)) {
    if ((await sendOne(call)).status !== 'success') throw new Error(`${call.purpose} reverted.`)
  }
  const first = await plan(true)
  await meanwhile()
  for (let planned = first; ; planned = await plan(true)) {
    let failed = false
    for (const call of planned.calls) {
      if (call.purpose === 'repay') result.owed = await nextBlock(markets)
      const { status, logs } = await sendOne(call)
      failed = status !== 'success'
      if (failed) break
      const repayments = planned.repayments.filter((each) => call.purpose === 'repay' && each.market === call.market)
      note({ logs, repayments })
    }
    if (!failed) return result
    result.reverts += 1
    if (result.reverts > 3) throw new Error('stuck')
  }
}

const withText = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

/** Sets the next block's time, and returns the debts at it. */
async function nextBlock(markets: readonly Market[]): Promise<bigint[]> {
  const timestamp = (await testMaker.now()) + 12n
  const owed: bigint[] = []
  for (const market of markets) owed.push(await debtAt(market, timestamp))
  await devnet.testClient.setNextBlockTimestamp({ timestamp })
  return owed
}

/** The client of the borrower's wallet, which sends atomic batches. */
export function batchingClient() {
  const { address: account } = borrower()
  const wallet = createBatchWallet(devnet, { address: account, atomic: 'ready' })
  return createClient({ account, chain: devnet.publicClient.chain, transport: custom(wallet), pollingInterval: 20 })
}

export function sendTogether(calls: readonly SettlementCall[]) {
  const { chainId, publicClient } = devnet
  return sendCalls(batchingClient(), calls, { from: borrower().address, chainId, publicClient })
}

/** Sends with a fixed gas limit, so that a revert is mined. */
async function sendOne({ to, data }: SettlementCall) {
  const hash = await devnet.walletClient(borrower()).sendTransaction({ to, data, gas: 1_000_000n })
  return devnet.publicClient.waitForTransactionReceipt({ hash })
}
