import { type Executability, formatPrincipal, formatTimestamp, type Rejection } from '@firmquote/sdk'
import { explainRejection } from '../../service/explainRejection.ts'
import type { Token } from '../../service/serviceContext.ts'

/** What a borrower can do about a check that has failed, other than asking for another quote. */
export type Remedy =
  /** Let the quote market move this much of the loan token, raw units. */
  | { do: 'approve'; amount: bigint }
  /** Let the quote market open positions. */
  | { do: 'permit' }
  /** Take the smaller amount that the quote is for, raw units. */
  | { do: 'takeLess'; notional: bigint }
  /** Get loan tokens, raw units. */
  | { do: 'fund'; missing: bigint }

/** One of the six checks, in words. */
export type ExplainedCheck = {
  name: Executability['checks'][number]['name']
  title: string
  ok: boolean
  /** What was found. */
  finding: string
  /** The service's code for it, where there is one. */
  code?: string
  remedies: readonly Remedy[]
}

/** The titles of the six checks, in their order. */
export const checkTitles = {
  deadline: 'There is time to submit it',
  nonceAndStatus: 'It has not been taken, cancelled or replaced',
  makerFunds: 'The maker has the money, and allows it to be used',
  terms: 'It is what you asked for',
  preview: 'The contract would execute it now',
  borrower: 'You can pay, and allow the market to act',
} as const satisfies Record<ExplainedCheck['name'], string>

/** Puts a verdict into words: one entry for each of the six checks, in their order. Pure. */
export function explainChecks(verdict: Executability, token: Token): ExplainedCheck[] {
  const amount = (value: bigint) => `${formatPrincipal(value, token.decimals)} ${token.symbol}`
  const [deadline, nonceAndStatus, makerFunds, terms, preview, borrower] = verdict.checks
  const isSmaller = !terms.ok && terms.notional < terms.requestedNotional
  return [
    {
      ...base(deadline),
      finding: deadline.ok
        ? `Valid until ${formatTimestamp(deadline.deadline, { seconds: true })}.`
        : deadline.deadline < deadline.now
          ? 'The quote has expired.'
          : `Fewer than ${deadline.submissionWindowSeconds} seconds are left: a transaction might come too late.`,
      remedies: [],
    },
    {
      ...base(nonceAndStatus),
      finding: nonceAndStatus.ok ? 'Still open.' : endings[nonceAndStatus.status],
      remedies: [],
    },
    {
      ...base(makerFunds),
      finding: makerFunds.ok
        ? `The maker holds ${amount(makerFunds.balance)} and allows ${allowed(makerFunds.allowance, amount)}.`
        : makerFunds.loanToken === null
          ? 'There is no such pool on this chain.'
          : `The quote needs ${amount(terms.notional)}; the maker holds ${amount(makerFunds.balance)} and allows ${allowed(makerFunds.allowance, amount)}.`,
      remedies: [],
    },
    {
      ...base(terms),
      finding: terms.ok
        ? `Exactly ${amount(terms.notional)}${terms.seriesExpiry === null ? '' : ` until ${formatTimestamp(terms.seriesExpiry)}`}.`
        : isSmaller
          ? `It is for ${amount(terms.notional)}, you asked for ${amount(terms.requestedNotional)}.`
          : (terms.reason ?? 'It differs from what you asked for.'),
      remedies: isSmaller ? [{ do: 'takeLess', notional: terms.notional }] : [],
    },
    {
      ...base(preview),
      finding: preview.ok
        ? `The signature is right, the series takes it, and it costs ${amount(preview.borrowerCost)}.`
        : refusal(preview, token),
      remedies: [],
    },
    {
      ...base(borrower),
      finding: borrower.ok
        ? `You hold ${amount(borrower.balance)} and allow ${allowed(borrower.allowance, amount)}.`
        : borrower.missing.length === 0
          ? (borrower.reason ?? 'Your account could not be judged.')
          : borrower.missing.map((what) => shortOf[what]({ ...borrower, cost: verdict.cost, amount })).join(' '),
      remedies: borrower.missing.map((what) => remedyOf[what](verdict.cost, borrower.balance)),
    },
  ]
}

function base(check: { name: ExplainedCheck['name']; ok: boolean; rejection?: Rejection }) {
  const { name, ok, rejection } = check
  return { name, title: checkTitles[name], ok, ...(rejection && { code: rejection.code }) }
}

/** The contract has the last word; where only it knows why, in its own. */
function refusal({ rejection, contractReason }: Executability['checks'][4], token: Token): string {
  if (!rejection || rejection.code === 'NOT_EXECUTABLE')
    return `The contract refuses it: ${contractReason || 'it gives no reason'}.`
  return explainRejection(rejection, token)
}

const endings = {
  open: 'The maker has withdrawn it with all of its quotes of that time.',
  filled: 'Someone has taken it.',
  cancelled: 'The maker has cancelled it.',
}

type Shortage = {
  balance: bigint
  allowance: bigint
  cost: bigint
  amount: (value: bigint) => string
}

const shortOf = {
  balance: ({ balance, cost, amount }: Shortage) => `It costs ${amount(cost)} and you hold ${amount(balance)}.`,
  allowance: ({ allowance, cost, amount }: Shortage) =>
    `The quote market may move ${allowed(allowance, amount)} of yours; it needs ${amount(cost)}.`,
  operator: () => 'The quote market may not open positions for you yet.',
}

const remedyOf: Record<keyof typeof shortOf, (cost: bigint, balance: bigint) => Remedy> = {
  balance: (cost, balance) => ({ do: 'fund', missing: cost - balance }),
  allowance: (cost) => ({ do: 'approve', amount: cost }),
  operator: () => ({ do: 'permit' }),
}

// An allowance of 2^128 or more is meant to be unlimited.
function allowed(value: bigint, amount: (value: bigint) => string): string {
  return value >= 2n ** 128n ? 'any amount' : amount(value)
}
