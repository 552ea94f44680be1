import { describeRejection, type Rejection } from '@firmquote/core'
import type { BorrowerCheck, Executability } from '@firmquote/sdk'
import { printable } from './printable.ts'
import { showAmount, type Token } from './show.ts'
import type { Style } from './style.ts'
import { wordsOf } from './words.ts'

const titles: Readonly<Record<Executability['checks'][number]['name'], string>> = {
  deadline: 'deadline',
  nonceAndStatus: 'nonce and status',
  makerFunds: "maker's funds",
  terms: 'terms',
  preview: "contract's preview",
  borrower: "borrower's funds",
}

/**
 * Renders the six checks, one per line: `ok` or `no`, the name of the check, and the reason for a failure, with amounts
 * in tokens and times as dates.
 *
 * @param cost the plan's total cost for the borrower, in raw units.
 */
export function renderChecks(
  { checks, block }: Pick<Executability, 'checks' | 'block'>,
  { token, cost, style }: { token: Token; cost: bigint; style: Style },
): string {
  const lines = checks.map((check) => {
    const reason = check.name === 'borrower' ? lackOf(check, cost, token) : reasonOf(check, token)
    const why = check.ok || reason === undefined ? '' : `: ${printable(reason)}`
    return `${check.ok ? style.good('ok') : style.bad('no')}  ${titles[check.name]}${why}`
  })
  return [`Checked at block ${block.number}:`, ...lines].join('\n')
}

/**
 * Returns the reason for a failed check or plan, with amounts in tokens and times as dates. If the code is unknown,
 * returns the original reason.
 */
export function reasonOf(
  { rejection, reason }: { rejection?: Rejection; reason?: string },
  token: Token,
): string | undefined {
  return rejection ? describeRejection(rejection, wordsOf(token)) : reason
}

function lackOf(
  { missing, balance, allowance, reason }: BorrowerCheck,
  cost: bigint,
  token: Token,
): string | undefined {
  const [held, allowed, needed] = [balance, allowance, cost].map((raw) => showAmount(raw, token))
  const sentences = {
    balance: `The borrower holds ${held}; the quotes cost ${needed}.`,
    allowance: `The borrower's allowance for the quote market is ${allowed}; the quotes cost ${needed}.`,
    operator: 'The borrower has not made the quote market an operator of the interest-rate pool.',
  }
  return missing.length === 0 ? reason : missing.map((what) => sentences[what]).join(' ')
}
