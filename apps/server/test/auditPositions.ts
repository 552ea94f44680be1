import type { AccountPositions, FixedPosition } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { expect } from '@jest/globals'
import type { Address } from 'viem'
import type { Audit, LifeFigures } from '../../../packages/devnet/test/describePositionLives.ts'
import { startBalance } from '../../../packages/devnet/test/positionLives.ts'
import { readMakerPositions } from '../../daemon/src/adapters/viemChain/readMakerPositions.ts'
import { createReport } from '../../daemon/src/domain/positionReport.ts'
import { allPages } from './allPages.ts'
import { startRealService } from './realService.ts'

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** One party's payment for a position. */
const paidIn = ({ role, notional, cost }: FixedPosition): bigint => (role === 'maker' ? notional : cost)
const paidOut = ({ role, settlement }: FixedPosition): bigint =>
  settlement === undefined ? 0n : role === 'maker' ? settlement.toMaker : settlement.toBorrower

/**
 * Starts a service that follows the chain. Compares the service's positions and the figures of `firmquote-daemon
 * report` with the positions' on-chain history.
 */
export async function startPositionAudit(devnet: Devnet): Promise<Audit> {
  const { rpcUrl, chainId, contracts } = devnet
  const { quoteMarket, interestRatePool } = contracts
  // When a history has been undone, the chain is at first much shorter than the one the service has synced. With a
  // smaller reorg window, the sync would wait, as it does for a node that lags far behind.
  const service = await startRealService(devnet, { sync: { reorgWindow: 1_000 } })
  /** The amounts that open positions have accrued by the end of a history. */
  const accrued = new Map<bigint, bigint | undefined>()

  /** Reads all pages of an account's positions, with only a few positions per page. */
  const read = async (address: Address): Promise<AccountPositions> => {
    const query = { address, status: 'all', limit: 7 } as const
    const pages = await allPages((cursor) => service.markets.positions({ ...query, ...cursor }))
    return { ...(pages[0] as AccountPositions), positions: pages.flatMap(({ positions }) => positions) }
  }

  /** A maker's report. The audit takes only IDs from the service, and everything else from the chain. */
  const report = async ({ address: maker, positions }: AccountPositions) => {
    const positionIds = positions.flatMap(({ role, positionId }) => (role === 'maker' ? [positionId] : []))
    return createReport(
      await readMakerPositions({ rpcUrl, chainId, quoteMarket, interestRatePool, maker, positionIds }),
    )
  }

  return {
    async check({ accounts, tokens, decided }: LifeFigures) {
      await service.sync.cycle()
      const answers = await Promise.all(accounts.map(read))
      const reports = await Promise.all(answers.map(report))
      for (const { token, balances, credits, owed, lost } of tokens) {
        const ofToken = answers.map(({ positions }) => positions.filter(({ loanToken }) => loanToken === token))
        const withdrawable = answers.map(
          (answer) => answer.withdrawable?.find((credit) => credit.token === token)?.amount ?? 0n,
        )
        expect(withdrawable).toEqual(credits)
        // Each account's final balance is its initial balance minus its payments plus its withdrawals.
        const expected = ofToken.map((positions, index) => {
          const withdrawn = sum(positions.map(paidOut)) - (withdrawable[index] ?? 0n)
          return startBalance - sum(positions.map(paidIn)) + withdrawn - (lost[index] ?? 0n)
        })
        expect(balances).toEqual(expected)
        // In total, payouts plus the pool's liabilities equal premiums plus deposits exactly.
        const all = ofToken.flat()
        const open = all.filter(({ settlement }) => settlement === undefined)
        expect(sum(all.map(paidIn)) - sum(all.map(paidOut))).toBe(sum(open.map(paidIn)))
        expect(sum(open.map(paidIn)) + sum(withdrawable)).toBe(owed)
        // The earnings in the makers' reports equal the borrowers' losses, and the reports include all open positions.
        const totals = reports.flatMap((one) => one.totals.filter(({ loanToken }) => loanToken === token))
        const ended = all.filter(({ role, settlement }) => role === 'borrower' && settlement)
        const earned = sum(totals.map(({ settled }) => settled.pnl))
        expect(earned + sum(ended.map((position) => paidOut(position) - paidIn(position)))).toBe(0n)
        expect(sum(totals.map(({ unsettled }) => unsettled.notional + unsettled.premium))).toBe(sum(open.map(paidIn)))
        expect(totals).toHaveLength(ofToken.filter((some) => some.some(({ role }) => role === 'maker')).length)
      }
      const positions = answers.flatMap((answer) => answer.positions)
      for (const { positionId, state, floating } of reports.flatMap((one) => one.positions)) {
        const told = positions.find((one) => one.positionId === positionId)
        expect([positionId, state === 'settled']).toEqual([positionId, told?.settlement !== undefined])
        // Before expiry, the two amounts differ only if an index has fallen, which does not happen in a lending market.
        if (state !== 'open') expect(floating).toBe(told?.settlement?.toBorrower ?? told?.accrued)
      }
      for (const { positionId, settlement } of positions) {
        if (settlement && accrued.has(positionId)) expect(settlement.toBorrower).toBe(accrued.get(positionId))
      }
      if (positions.every(({ settlement }) => settlement)) accrued.clear()
      for (const positionId of decided) {
        const found = positions.find((one) => one.positionId === positionId)
        expect(found).toMatchObject({ accrued: expect.any(BigInt), settleable: true, checkpointed: true })
        accrued.set(positionId, found?.accrued)
      }
    },
    stop: () => service.close(),
  }
}
