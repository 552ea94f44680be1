import type { Rejection } from '@firmquote/core'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { NewAuctionQuote } from '../../ports/store.ts'
import { judgeQuote } from '../quotes/judgeQuote.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/**
 * Judges a backer's quote on the chain and stores it if it passes; null once it is on disk. `isOpen` is called before the
 * write, since an auction closes without waiting for verdicts.
 */
export type SubmissionJudge = (quote: NewAuctionQuote, isOpen: () => boolean) => Promise<Rejection | null>

/** Creates the judge of backers' quotes. It never throws; a failure is a rejection and a log entry. */
export function createSubmissionJudge(deps: ServiceDeps): SubmissionJudge {
  const { limits, log } = deps
  let running = 0

  const judgeState = async ({ quote, hash, publicRfqId }: NewAuctionQuote): Promise<Rejection | null> => {
    try {
      return (await judgeQuote(deps, quote, hash)).rejection
    } catch (error) {
      log.error({ err: error, rfqId: publicRfqId }, 'a quote could not be judged')
      return { code: 'CHAIN_UNAVAILABLE' }
    }
  }

  const store = async (quote: NewAuctionQuote): Promise<Rejection | null> => {
    try {
      await deps.store.insertAuctionQuote(quote)
      return null
    } catch (error) {
      const level = error instanceof StorageUnavailableError ? 'warn' : 'error'
      log[level]({ err: error, rfqId: quote.publicRfqId }, 'a quote could not be stored')
      return { code: 'STORAGE_UNAVAILABLE' }
    }
  }

  return async (quote, isOpen) => {
    if (running >= limits.runningJudgements) return { code: 'OVERLOADED' }
    running += 1
    try {
      const rejection = await judgeState(quote)
      return rejection === null && isOpen() ? await store(quote) : rejection
    } finally {
      running -= 1
    }
  }
}
