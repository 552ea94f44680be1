import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { decodeErrorResult, type Hex, hexToString, parseAbi } from 'viem'

/** Errors of the tokens that a take moves, and Solidity's two built-in errors. */
const otherErrors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error SafeERC20FailedOperation(address token)',
  'error Error(string reason)',
  'error Panic(uint256 code)',
])
const abi = [...quoteMarketAbi, ...interestRatePoolAbi, ...otherErrors] as const

/** The name of an error with which the contracts refuse a transaction. */
export type ContractError = Extract<(typeof abi)[number], { type: 'error' }>['name']

/** An error of a contract; `reason` is the code that the market gives for an offer, or the text of another contract. */
export type ContractRefusal = { name: ContractError; reason?: string }

/** Decodes a contract's revert data. Returns null if the error is unknown. */
export function readContractError(data: Hex): ContractRefusal | null {
  try {
    const { errorName: name, args } = decodeErrorResult({ abi, data })
    if (name === 'QuoteNotExecutable') return { name, reason: hexToString(args[0], { size: 32 }) }
    return name === 'Error' ? { name, reason: args[0] } : { name }
  } catch {
    return null
  }
}
