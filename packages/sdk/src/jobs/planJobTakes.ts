import type { SignedQuote } from '@firmquote/core'
import type { Hex } from 'viem'
import { checkPlanParameters, type PlanTakesParameters } from '../taking/checkPlanParameters.ts'
import { planTakes, type TakePlan } from '../taking/planTakes.ts'
import { isSignedByKey, offersOf } from '../taking/readOffers.ts'
import type { AskedQuote, Job, JobPlan } from './job.ts'

/** The next takes of a job. */
export type JobTakes = {
  plan: TakePlan
  /** The plan's takes. */
  quotes: readonly AskedQuote[]
  /** The parts of the job's plan that do not depend on the wallet. */
  known: Pick<JobPlan, 'block' | 'limit' | 'refused'>
}

/**
 * Plans the next takes of a job at the latest block. Leaves out quotes that are taken or given up.
 *
 * @param only The quotes to consider. Null for all.
 * @throws the errors of {@link planTakes}.
 */
export async function planJobTakes(
  job: Job,
  quotes: readonly { quote: SignedQuote }[],
  given: PlanTakesParameters,
  only: readonly Hex[] | null = null,
): Promise<JobTakes> {
  const parameters = checkPlanParameters({ ...given, since: job.since, maxTakes: job.maxTakes - job.taken.length })
  const isLeft = (hash: Hex) => !job.gaveUp.includes(hash) && !job.taken.some((fill) => fill.hash === hash)
  const left = offersOf(quotes, parameters).filter(({ hash }) => isLeft(hash) && (only === null || only.includes(hash)))
  const byKey = new Map(await Promise.all(left.map(async (offer) => [offer.hash, await isSignedByKey(offer)] as const)))
  const usable = left.filter(({ hash }) => byKey.get(hash) || !job.keysOnly)
  const plan = await planTakes(
    usable.map(({ signed: quote }) => ({ quote })),
    parameters,
  )
  const { block, takes, maxVrtAmount: limit, refused } = plan
  return {
    plan,
    quotes: takes.map(({ hash, signed: { notional }, maxCost: cost }) => {
      return { ...{ hash, notional, cost, since: block.number }, byKey: byKey.get(hash) === true }
    }),
    known: { block: block.number, limit, refused: refused.map(({ hash }) => hash) },
  }
}
