import type { PublicRfqId, Rejection } from '@firmquote/core'
import type { CandidateQuote } from '../../domain/backerEntries.ts'
import { judgeQuote } from '../quotes/judgeQuote.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Judges a backer's quote on the chain; null when it passes. */
export type SubmissionJudge = (candidate: CandidateQuote, publicRfqId: PublicRfqId) => Promise<Rejection | null>

/** Creates the judge of backers' quotes. It never throws; a failure is a rejection and a log entry. */
export function createSubmissionJudge(deps: ServiceDeps): SubmissionJudge {
  const { limits, log } = deps
  let running = 0

  return async ({ quote, hash }, rfqId) => {
    if (running >= limits.runningJudgements) return { code: 'OVERLOADED' }
    running += 1
    try {
      return (await judgeQuote(deps, quote, hash)).rejection
    } catch (error) {
      log.error({ err: error, rfqId }, 'a quote could not be judged')
      return { code: 'CHAIN_UNAVAILABLE' }
    } finally {
      running -= 1
    }
  }
}
