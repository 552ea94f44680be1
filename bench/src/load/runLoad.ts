import { setTimeout as sleep } from 'node:timers/promises'
import {
  createParticipants,
  type LoadFigures,
  type Participants,
  type ParticipantsOptions,
} from './createParticipants.ts'

/** How many borrowers request quotes, and for how long. */
export type LoadOptions = ParticipantsOptions & {
  borrowers: number
  seconds: number
  /** Ends it early, in order. */
  signal: AbortSignal
  progress(text: string): void
}

/** The figures of a load; `unanswered` counts quotes that got no answer. */
export type LoadResult = LoadFigures & { seconds: number; auctions: number; unanswered: number }

/** How long the last quotes may wait for their answer. */
const settleMs = 10_000

/** Lets every borrower open one auction after the other while the backers answer all of them. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { makers, borrowers, seconds, progress } = options
  progress(`${makers.length} backers connect`)
  const participants = await createParticipants(options)
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1_000
  const goesOn = () => !options.signal.aborted && elapsed() < seconds
  const ticking = setInterval(() => {
    const { acknowledgement, close } = participants.figures
    progress(`${Math.round(elapsed())} s: ${close.length} auctions, ${acknowledgement.length} quotes answered`)
  }, 5_000)
  try {
    await Promise.all(Array.from({ length: borrowers }, () => borrow(participants, goesOn, options.signal)))
    const unanswered = await participants.settle(settleMs)
    return { ...participants.figures, seconds: elapsed(), auctions: participants.figures.close.length, unanswered }
  } finally {
    clearInterval(ticking)
    await participants.close()
  }
}

async function borrow(participants: Participants, goesOn: () => boolean, signal: AbortSignal): Promise<void> {
  while (goesOn()) {
    const end = await participants.requestQuotes()
    const pauseMs = end.outcome === 'refused' ? end.retryAfterMs : end.outcome === 'broken' ? 1_000 : 0
    if (pauseMs > 0 && goesOn()) await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
