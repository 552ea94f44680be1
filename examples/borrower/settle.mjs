// Settles the borrower's expired positions (which anyone may do) and withdraws the payouts.
//
//   node settle.mjs [service] [node]
import {
  formatPrincipal,
  formatTimestamp,
  interestRatePoolAbi,
  settleManyParameters,
  withdrawParameters,
} from '@firmquote/sdk'
import { parseEventLogs } from 'viem'
import { account, client, send } from './connect.mjs'

/** Maximum number of settlements in one transaction. A block fits a few dozen settlements. */
const most = 20

const loanTokens = new Map((await client.getPoolRates()).map(({ loanToken }) => [loanToken.address, loanToken]))
function inTokens(amount, token) {
  const { decimals, symbol } = loanTokens.get(token) ?? { decimals: 0, symbol: `units of ${token}` }
  return `${formatPrincipal(amount, decimals)} ${symbol}`
}

// Reads only the first page: up to 500 open positions, oldest first. If there are more, run the program again.
const { positions, withdrawable = [] } = await client.getPositions(account.address)
for (const { positionId, notional, loanToken, expiry, settleable } of positions) {
  const state = settleable ? 'is due' : `runs until ${formatTimestamp(expiry)}`
  console.log(`position ${positionId} over ${inTokens(notional, loanToken)} ${state}`)
}

const due = positions.filter(({ settleable }) => settleable)
for (let at = 0; at < due.length; at += most) {
  const positionIds = due.slice(at, at + most).map(({ positionId }) => positionId)
  const { logs } = await confirm(settleManyParameters({ positionIds }))
  const settled = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionSettled', logs })
  console.log(`settled ${settled.length} of ${positionIds.length}`)
}
// Includes credits from positions that other accounts settled.
const tokens = new Set([...due.map(({ loanToken }) => loanToken), ...withdrawable.map(({ token }) => token)])
for (const token of tokens) {
  if (token === undefined) continue
  const { logs } = await confirm(withdrawParameters({ token }))
  for (const { args } of parseEventLogs({ abi: interestRatePoolAbi, eventName: 'Withdrawn', logs }))
    console.log(`withdrew ${inTokens(args.amount, token)}`)
}
if (due.length === 0 && withdrawable.length === 0) console.log('nothing is due')

async function confirm(call) {
  const receipt = await send(call)
  if (receipt.status !== 'success') throw new Error(`${call.functionName} reverted in ${receipt.transactionHash}.`)
  return receipt
}
