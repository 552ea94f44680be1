import { describeRejection } from '@firmquote/core'
import { formatAddress, formatPrincipal, type Rejection } from '@firmquote/sdk'
import type { Token } from './serviceContext.ts'

/** Why a quote cannot be taken, for its borrower: what is known already is not repeated, amounts are in tokens. Pure. */
export function explainRejection(rejection: Rejection, { symbol, decimals }: Token): string {
  const amount = (value: bigint) => `${formatPrincipal(value, decimals, { maxFractionDigits: 2 })} ${symbol}`
  switch (rejection.code) {
    case 'DEADLINE_PASSED':
      return 'It has expired.'
    case 'DEADLINE_TOO_SOON':
      return 'It expires too soon for a transaction to arrive in time.'
    case 'NONCE_MISMATCH':
      return 'Its maker has withdrawn it, with all of its quotes of that time.'
    case 'QUOTE_CANCELLED':
      return 'Its maker has cancelled it.'
    case 'QUOTE_FILLED':
      return 'It has been taken.'
    case 'SERIES_EXPIRED':
      return 'The series has ended.'
    case 'CAPACITY_EXCEEDED':
      return `The series has room for ${amount(rejection.capacity)} only.`
    case 'INSUFFICIENT_BALANCE':
      return `Its maker holds ${amount(rejection.balance)} only.`
    case 'INSUFFICIENT_ALLOWANCE':
      return `Its maker lets the market use ${amount(rejection.allowance)} only.`
    case 'TERMS_MISMATCH':
      return rejection.field === 'taker'
        ? `It was signed for ${formatAddress(rejection.value)} alone, which is not the connected account.`
        : describeRejection(rejection)
    case 'NOTIONAL_TOO_LARGE':
      return 'It is for more than is left to fix.'
    case 'VRT_AMOUNT_TOO_LARGE':
      return 'It costs more than your limit.'
    default:
      return describeRejection(rejection)
  }
}
