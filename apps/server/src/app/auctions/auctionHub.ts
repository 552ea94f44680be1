import type { PublicRfqId } from '@firmquote/core'
import type { Address } from 'viem'
import { hasNoAttempts } from '../../domain/applyAuctionEvent.ts'
import { isAttempt } from '../../domain/judgeSubmission.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import type { Sync } from '../chain/sync.ts'
import type { Halts } from '../control/halts.ts'
import { createMakerFunds } from '../makers/makerFunds.ts'
import { createReceipts, type Receipts } from '../proofs/receipts.ts'
import type { JudgingDeps } from '../quotes/makerChecks.ts'
import type { StorageWatch } from '../storageWatch.ts'
import { createAnswerCounts } from './answerCounts.ts'
import { createDistanceNotifier } from './auctionDistances.ts'
import { createAuctionOpener, type OpenAuction } from './auctionOpener.ts'
import { type BackerSessions, createBackerSessions } from './backerSessions.ts'
import { createQuoteSubmissions, type SubmitQuote } from './quoteSubmissions.ts'
import { createRunningAuctions, type RunningAuctions } from './runningAuctions.ts'

/** This instance's auctions and backer sessions. */
export type AuctionHub = Pick<BackerSessions, 'join'> &
  Pick<RunningAuctions, 'resume' | 'find' | 'follow' | 'endFollowing'> & {
    open: OpenAuction
    /** Null if the service keeps no log. */
    receipts: Pick<Receipts, 'ofVerdict' | 'withReceipt'> | null
    submit: SubmitQuote
    /**
     * Reads the auctions in which a backer already has an accepted quote. The returned function tells whether an auction
     * refuses every further quote from the backer.
     */
    readAnswered(backer: Address): Promise<(rfqId: PublicRfqId) => boolean>
    /** Counts that a backer declined to quote. */
    decline(decline: { backer: Address; rfqId: PublicRfqId; reason?: string }): void
    /** The numbers of open auctions and of distinct connected backers. */
    count(): { open: number; backers: number }
    /** Refuses new auctions. Resolves once every open auction has closed and every submission has been answered. */
    drain(): Promise<void>
    /**
     * Stops immediately and ends all streams. Another instance, or the next start, resumes the open auctions.
     */
    stop(): void
  }

/** Creates the hub. */
export function createAuctionHub(
  deps: JudgingDeps,
  {
    sync,
    storage,
    halts,
  }: {
    sync: Pick<Sync, 'status' | 'cycle'>
    storage: Pick<StorageWatch, 'isWritable'>
    halts: Pick<Halts, 'rfqRejection'>
  },
): AuctionHub {
  const { clock, bus, presence, store, log, tracing } = deps
  const drained: (() => void)[] = []
  /** Number of unanswered submissions. */
  let answering = 0

  const checkDrained = () => {
    if (!running.isDraining() || !running.isIdle() || answering > 0) return
    for (const resolve of drained.splice(0)) resolve()
  }

  const funds = createMakerFunds(deps, () => sessions.backers())
  const answers = createAnswerCounts(deps, (rfqId) => running.get(rfqId)?.sendProgress())
  const onRfqSent = answers.sent
  const sessions = createBackerSessions({ bus, clock, presence, funds, onRfqSent, ...(tracing && { tracing }) })
  const distances = createDistanceNotifier(deps, sessions.broadcastDistances)
  const running = createRunningAuctions(deps, { sessions, distances, answers, onSettled: checkDrained })
  const submit = createQuoteSubmissions(deps, running)
  const receipts = deps.proofs ? createReceipts(deps.proofs, deps) : null

  return {
    receipts,
    resume: running.resume,
    open: createAuctionOpener(deps, { sync, storage, halts, running }),
    find: running.find,
    follow: running.follow,
    join: sessions.join,

    async submit(submission) {
      answering += 1
      try {
        const verdict = await submit(submission)
        const { rfqId, backer } = submission
        // After a temporary rejection, the backer can submit the quote again.
        if (!verdict.ok && isAttempt(verdict.rejection)) answers.declined(rfqId, backer.toLowerCase())
        return verdict
      } finally {
        answering -= 1
        checkDrained()
      }
    },

    async readAnswered(backer) {
      const quoted = new Set(await store.listQuotedAuctions(backer))
      return (rfqId) => {
        const auction = running.get(rfqId)
        // Rejections are not stored. Another instance, or this one after a restart, grants the attempts anew.
        return quoted.has(rfqId) || (auction !== undefined && hasNoAttempts(auction.state(), backer))
      }
    },

    decline({ backer, rfqId, reason }) {
      answers.declined(rfqId, backer.toLowerCase())
      if (running.get(rfqId)) log.debug({ rfqId, backer, reason }, 'backer declined')
    },

    count: () => ({ open: running.count(), backers: sessions.count() }),

    async drain() {
      running.drain()
      await new Promise<void>((resolve) => {
        drained.push(resolve)
        checkDrained()
      })
      await sessions.flushed()
      // Yield once, so that the last responses reach the sockets.
      await yieldToEventLoop()
      await receipts?.flush()
    },

    endFollowing: running.endFollowing,
    stop() {
      running.stop()
      receipts?.stop()
      distances.stop()
      funds.stop()
    },
  }
}
