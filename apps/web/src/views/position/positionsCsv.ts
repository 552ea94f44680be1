import type { Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { formatUnits, type Hex, isAddressEqual } from 'viem'
import type { PositionsTexts } from '../../copy/enPositions.ts'

/** Facts from the chain: blocks' times in Unix seconds, and the transactions that opened positions, by position. */
export type ChainFacts = { times: ReadonlyMap<bigint, number>; openedBy: ReadonlyMap<bigint, Hex> }

/**
 * Returns an account's positions as a CSV file (RFC 4180), one row per side. Amounts have all their decimals, or are in
 * raw units if the token is unknown. Times are ISO 8601 in UTC. No cell is a formula. Pure.
 */
export function positionsCsv(
  positions: readonly FixedPosition[],
  { pools, facts, words }: { pools: readonly Pool[]; facts: ChainFacts; words: PositionsTexts['records'] },
): string {
  const timeOf = (seconds: number | undefined) => (seconds === undefined ? '' : new Date(seconds * 1000).toISOString())
  const rows = positions.map((position): Record<keyof typeof words.columns, string> => {
    const { positionId, role, openedAtBlock, expiry, notional, cost, settlement, loanToken } = position
    const { maker, borrower, poolId: pool, seriesKey: series } = position
    const token =
      pools.find(({ poolId }) => poolId === pool)?.loanToken ??
      pools.find((known) => loanToken !== undefined && isAddressEqual(known.loanToken.address, loanToken))?.loanToken
    const amount = (raw: bigint) => formatUnits(raw, token?.decimals ?? 0)
    return {
      position: positionId.toString(),
      role: words.roles[role],
      openedAt: timeOf(facts.times.get(openedAtBlock)),
      openedBlock: openedAtBlock.toString(),
      openedBy: facts.openedBy.get(positionId) ?? '',
      endsAt: timeOf(expiry),
      symbol: token?.symbol ?? '',
      token: token?.address ?? loanToken ?? '',
      notional: amount(notional),
      cost: amount(cost),
      settledAt: timeOf(settlement && facts.times.get(settlement.blockNumber)),
      settledBlock: settlement?.blockNumber.toString() ?? '',
      settledBy: settlement?.transactionHash ?? '',
      toBorrower: settlement ? amount(settlement.toBorrower) : '',
      toMaker: settlement ? amount(settlement.toMaker) : '',
      ...{ maker, borrower, pool, series },
    }
  })
  const keys = Object.keys(words.columns) as (keyof typeof words.columns)[]
  const lines = [keys.map((key) => words.columns[key]), ...rows.map((row) => keys.map((key) => row[key]))]
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/** Spreadsheets take a cell that begins with one of these as a formula, even if it is quoted. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/

/** Returns a cell's text, quoted if necessary. */
export function cellOf(text: string): string {
  const plain = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Returns the file's name, with the account and the day (UTC) of a time in Unix milliseconds. */
export function csvName(account: string, at: number): string {
  return `firmquote-${account}-${new Date(at).toISOString().slice(0, 10)}.csv`
}
