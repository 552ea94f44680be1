import type { AccountPositions } from '@firmquote/sdk'
import { interestRatePoolAbi } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { type Address, decodeFunctionData, getAddress } from 'viem'
import { nextSettleStep, type SettleReading } from './settleStep.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const contracts = { quoteMarket: address('a'), interestRatePool: address('b') }
const [usd, eth] = [getAddress(address('c')), getAddress(address('d'))]

type Position = AccountPositions['positions'][number]
const position = (positionId: bigint, settleable: boolean, loanToken: Address | undefined = usd) =>
  ({ positionId, settleable, ...(loanToken && { loanToken }) }) as Position
const credit = (token: Address) => ({ token }) as NonNullable<AccountPositions['withdrawable']>[number]

const read = (account: SettleReading['account'], more: Partial<SettleReading> = {}): SettleReading => ({
  account,
  error: null,
  atomic: false,
  contracts,
  ...more,
})
/** Decodes the remaining calls with the contract's ABI. */
function callsOf(account: SettleReading['account'], atomic = true) {
  const next = nextSettleStep('ready', read(account, { atomic }))
  if (!('calls' in next)) return next.step
  expect(next.calls.every(({ to, value }) => to === contracts.interestRatePool && value === 0n)).toBe(true)
  return next.calls.map(({ data }) => {
    const { functionName, args } = decodeFunctionData({ abi: interestRatePoolAbi, data })
    return [functionName, ...(args ?? [])]
  })
}

test('default: settles matured positions, then withdraws', () => {
  const account = { positions: [position(1n, false), position(2n, true)], withdrawable: [] }
  expect(callsOf(account)).toEqual([
    ['settle', 2n],
    ['withdraw', usd],
  ])
  expect(nextSettleStep('ready', read(account))).toMatchObject({ step: 'settle', positionId: 2n })
  expect(nextSettleStep('ready', read(account, { atomic: true })).step).toBe('settleTogether')
})

test('behavior: requires a wallet on the right network, then a response', () => {
  const account = { positions: [position(2n, true)] }
  const error = new Error('no answer')
  expect(nextSettleStep('none', read(account)).step).toBe('connect')
  expect(nextSettleStep('wrongNetwork', read(account)).step).toBe('switchNetwork')
  expect(nextSettleStep('connecting', read(account)).step).toBe('wait')
  expect(nextSettleStep('ready', read(undefined)).step).toBe('wait')
  expect(nextSettleStep('ready', read(account, { error }))).toEqual({ step: 'unknown', error })
})

test('behavior: nothing to do without matured positions or credits', () => {
  expect(callsOf({ positions: [] })).toBe('nothing')
  expect(callsOf({ positions: [position(1n, false)], withdrawable: [] })).toBe('nothing')
})

test('behavior: withdraws each credited token once, regardless of address case', () => {
  const lower = usd.toLowerCase() as Address
  const account = { positions: [position(2n, true), position(3n, true, eth)], withdrawable: [credit(lower)] }
  expect(callsOf(account)).toEqual([
    ['settle', 2n],
    ['settle', 3n],
    ['withdraw', usd],
    ['withdraw', eth],
  ])
  const next = nextSettleStep('ready', read({ positions: [], withdrawable: [credit(eth)] }))
  expect(next).toMatchObject({ step: 'withdraw', token: eth })
})

test('behavior: an account on both sides of a position settles it once', () => {
  expect(callsOf({ positions: [position(2n, true), position(2n, true)] })).toEqual([
    ['settle', 2n],
    ['withdraw', usd],
  ])
})

test('behavior: if an older service omits the token, it is withdrawn once credited', () => {
  const unnamed = { positionId: 2n, settleable: true } as Position
  expect(callsOf({ positions: [unnamed] })).toEqual([['settle', 2n]])
})

test('behavior: settles at most sixteen positions at once', () => {
  const due = (count: number) => Array.from({ length: count }, (_, index) => position(BigInt(index), true))
  expect(callsOf({ positions: due(16) })).toHaveLength(17)
  expect(callsOf({ positions: due(17) })).toHaveLength(17)
})
