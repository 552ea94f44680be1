import { type QuotePrice, quoteApr, quoteEffectiveApy, type SignedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import type { TakePlan } from '@firmquote/sdk'
import type { Context } from './context.ts'
import { NotExecutableError } from './errors.ts'
import { reasonOf, renderChecks } from './format/checks.ts'
import { describeQuote } from './format/ladder.ts'
import { printable } from './format/printable.ts'
import { type FixedRate, showInstant, type Token } from './format/show.ts'

/** Options of {@link showPlan}. */
export type PlanView = {
  token: Token
  json: boolean | undefined
  /** The series' expiry according to the service, in Unix seconds. */
  expiry: number
  /** The time from which a quote's remaining lifetime is measured, in Unix milliseconds. */
  at: number
}

const maxShown = 5

/**
 * Shows the quotes to take, with the results of their six checks, and the omitted quotes.
 *
 * @throws {NotExecutableError} if the series differs from the service's data.
 */
export function showPlan(context: Pick<Context, 'write' | 'style'>, plan: TakePlan, view: PlanView): void {
  const { token, json, at } = view
  const line = (type: string, data: object) => context.write(`${encodeJson({ type, data })}\n`)
  const describe = (quote: SignedQuote) => describeQuote({ quote, ...rateNow(quote, view.expiry) }, token, at)
  const { takes, refused } = plan
  for (const { hash, reason, rejection } of json ? refused : []) {
    line('refused', { hash, reason, ...(rejection && { rejection: rejection.code }) })
  }
  if (!json) {
    for (const { signed, ...why } of refused.slice(0, maxShown)) {
      context.write(`Left out: ${describe(signed)}: ${printable(reasonOf(why, token) ?? '')}\n`)
    }
    if (refused.length > maxShown) context.write(`Left out: ${refused.length - maxShown} more.\n`)
  }
  for (const [index, { hash, signed, verdict }] of takes.entries()) {
    if (json) {
      line('checks', { hash, ...verdict })
      continue
    }
    const place = takes.length === 1 ? 'Best' : `Best, ${index + 1} of ${takes.length}`
    context.write(`${place}: ${describe(signed)}\n`)
    context.write(`${renderChecks(verdict, { token, cost: plan.cost, style: context.style })}\n`)
  }
  const seriesExpiry = takes[0]?.verdict.checks[3].seriesExpiry ?? view.expiry
  if (seriesExpiry === view.expiry) return
  const until = `${showInstant(seriesExpiry)}, not at ${showInstant(view.expiry)}`
  throw new NotExecutableError(
    'CHECKS_FAILED',
    `The series of the best quote expires at ${until} as the service reported.`,
  )
}

/**
 * Returns the rate over the series' remaining term, computed independently of the service. Returns no rate if the
 * series has expired.
 */
export function rateNow(price: QuotePrice, expiry: number): FixedRate {
  const now = Math.floor(Date.now() / 1000)
  if (expiry <= now || price.notional === 0n) return {}
  return { apr: quoteApr(price, expiry, now), effectiveApy: quoteEffectiveApy(price, expiry, now) }
}
