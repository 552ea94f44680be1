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
 * The six checks, one a line: `ok` or `no`, what was checked, and why not, in tokens and dates.
 *
 * @param cost what the borrower is to pay for all that is planned, raw units.
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

/** Why a check or a plan says no, in tokens and dates; where no code covers it, as it says it itself. */
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
    balance: `The borrower holds ${held}, the quotes cost ${needed}.`,
    allowance: `The borrower allows the quote market ${allowed}, the quotes cost ${needed}.`,
    operator: 'The borrower has not made the quote market an operator of the interest-rate pool.',
  }
  return missing.length === 0 ? reason : missing.map((what) => sentences[what]).join(' ')
}
