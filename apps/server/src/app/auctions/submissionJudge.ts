import type { PublicRfqId, Rejection } from '@firmquote/core'
import type { CandidateQuote } from '../../domain/backerEntries.ts'
import { judgeQuote } from '../quotes/judgeQuote.ts'
import type { JudgingDeps } from '../quotes/makerChecks.ts'

/** Judges a backer's quote on the chain; `rejection` is null when it passes. */
export type SubmissionJudge = (
  candidate: CandidateQuote,
  publicRfqId: PublicRfqId,
) => Promise<{ rejection: Rejection | null; unproven?: true }>

/** Creates the judge. It never throws: a failure is logged and becomes a rejection. */
export function createSubmissionJudge(deps: JudgingDeps): SubmissionJudge {
  const { limits, log } = deps
  let running = 0

  return async ({ quote, hash }, rfqId) => {
    if (running >= limits.runningJudgements) return { rejection: { code: 'OVERLOADED' } }
    running += 1
    try {
      const { rejection, unproven } = await judgeQuote(deps, { quote, hash, sender: `maker ${quote.maker}` })
      return { rejection, ...(unproven && { unproven }) }
    } catch (error) {
      log.error({ err: error, rfqId }, 'failed to judge a quote')
      return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
    } finally {
      running -= 1
    }
  }
}
