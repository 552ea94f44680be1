import type { Token } from '@firmquote/react'
import type { Executability, Rejection } from '@firmquote/sdk'
import { acceptanceTextsOf } from '../../copy/acceptanceTexts.ts'
import { explainCode, explainRejection } from '../../copy/explainRejection.ts'
import type { Words } from '../../copy/words.ts'

/** A borrower's remedy for a failed check, other than to request another quote. */
export type Remedy =
  /** Allow the quote market to spend this amount of the loan token, in raw units. */
  | { do: 'approve'; amount: bigint }
  /** Allow the quote market to open positions. */
  | { do: 'permit' }
  /** Take the smaller quoted amount, in raw units. */
  | { do: 'takeLess'; notional: bigint }
  /** Obtain this amount of the loan token, in raw units. */
  | { do: 'fund'; missing: bigint }

/** The explanation of one of the six checks. */
export type ExplainedCheck = {
  name: Executability['checks'][number]['name']
  title: string
  ok: boolean
  /** The check's result, in words. */
  finding: string
  /** The rejection's code, if any. */
  code?: string
  remedies: readonly Remedy[]
}

/** Whether a check fails only because of an approval that the visitor can still grant. */
export function isUpToVisitor({ ok, remedies }: Pick<ExplainedCheck, 'ok' | 'remedies'>): boolean {
  return !ok && remedies.length > 0 && remedies.every((remedy) => remedy.do === 'approve' || remedy.do === 'permit')
}

/** Explains a verdict. Returns an entry for each of the six checks, in order. Pure. */
export function explainChecks(verdict: Executability, token: Token, words: Words): ExplainedCheck[] {
  const { formats } = words
  const { checks: texts } = acceptanceTextsOf(words)
  const amount = (value: bigint) => formats.withSymbol(formats.amount(value, token), token)
  const cost = (value: bigint) => formats.withSymbol(formats.cost(value, token), token)
  // Treat an allowance of 2^128 or more as unlimited.
  const allowed = (value: bigint, write = amount) => (value >= 2n ** 128n ? texts.anyAmount : write(value))
  const base = ({ name, ok, rejection }: { name: ExplainedCheck['name']; ok: boolean; rejection?: Rejection }) => {
    return { name, title: texts.titles[name], ok, ...(rejection && { code: rejection.code }) }
  }
  const shortOf = {
    balance: () => texts.lacks.balance(cost(verdict.cost), amount(borrower.balance)),
    allowance: () => texts.lacks.allowance(allowed(borrower.allowance), cost(verdict.cost)),
    operator: () => texts.lacks.operator,
  }
  const [deadline, nonceAndStatus, makerFunds, terms, preview, borrower] = verdict.checks
  const isSmaller = !terms.ok && terms.notional < terms.requestedNotional
  return [
    {
      ...base(deadline),
      finding: deadline.ok
        ? texts.valid(formats.second(deadline.deadline))
        : deadline.deadline < deadline.now
          ? texts.expired
          : texts.tooSoon(formats.time(deadline.submissionWindowSeconds)),
      remedies: [],
    },
    {
      ...base(nonceAndStatus),
      finding: nonceAndStatus.ok ? texts.open : texts.endings[nonceAndStatus.status],
      remedies: [],
    },
    {
      ...base(makerFunds),
      finding: makerFunds.ok
        ? texts.makerHas(amount(makerFunds.balance), allowed(makerFunds.allowance))
        : makerFunds.loanToken === null
          ? texts.noMarket
          : texts.makerLacks(amount(terms.notional), amount(makerFunds.balance), allowed(makerFunds.allowance)),
      remedies: [],
    },
    {
      ...base(terms),
      finding: terms.ok
        ? terms.seriesExpiry === null
          ? texts.exactly(amount(terms.notional))
          : texts.exactlyUntil(amount(terms.notional), formats.minute(terms.seriesExpiry))
        : isSmaller
          ? texts.smaller(amount(terms.notional), amount(terms.requestedNotional))
          : terms.rejection
            ? explainRejection(terms.rejection, token, words)
            : texts.differs,
      remedies: isSmaller ? [{ do: 'takeLess', notional: terms.notional }] : [],
    },
    {
      ...base(preview),
      finding: preview.ok ? texts.executes(cost(preview.borrowerCost)) : refusal(preview, token, words),
      remedies: [],
    },
    {
      ...base(borrower),
      finding: borrower.ok
        ? // An allowance of exactly the cost is written like the cost.
          texts.youHave(amount(borrower.balance), allowed(borrower.allowance, cost))
        : borrower.missing.length === 0
          ? texts.notJudged
          : borrower.missing.map((what) => shortOf[what]()).join(' '),
      remedies: borrower.missing.map((what) => remedyOf[what](verdict.cost, borrower.balance)),
    },
  ]
}

/** Explains why the contract would reject the quote. The contract's own result takes precedence. */
function refusal({ rejection, contractReason }: Executability['checks'][4], token: Token, words: Words): string {
  if (rejection && rejection.code !== 'NOT_EXECUTABLE') return explainRejection(rejection, token, words)
  if (!contractReason) return acceptanceTextsOf(words).checks.refusedSilently
  return explainCode(contractReason, words.texts) ?? words.texts.refusals.other
}

const remedyOf: Record<Executability['checks'][5]['missing'][number], (cost: bigint, balance: bigint) => Remedy> = {
  balance: (cost, balance) => ({ do: 'fund', missing: cost - balance }),
  allowance: (cost) => ({ do: 'approve', amount: cost }),
  operator: () => ({ do: 'permit' }),
}
