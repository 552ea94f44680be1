import { setTimeout as sleep } from 'node:timers/promises'
import { type Crowd, type CrowdFigures, type CrowdOptions, createCrowd } from './createCrowd.ts'

/** How hard the crowd plays, and until when. */
export type LoadOptions = CrowdOptions & {
  borrowers: number
  seconds: number
  /** Ends it early, in order. */
  signal: AbortSignal
  progress(text: string): void
}

/** What came of a load; `unanswered` counts quotes that got no answer. */
export type LoadResult = CrowdFigures & { seconds: number; auctions: number; unanswered: number }

/** How long the last quotes may wait for their answer. */
const settleMs = 10_000

/** Lets every borrower open one auction after the other while the backers answer all of them. */
export async function playLoad(options: LoadOptions): Promise<LoadResult> {
  const { makers, borrowers, seconds, progress } = options
  progress(`${makers.length} backers connect`)
  const crowd = await createCrowd(options)
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1_000
  const goesOn = () => !options.signal.aborted && elapsed() < seconds
  const ticking = setInterval(() => {
    const { acknowledgement, close } = crowd.figures
    progress(`${Math.round(elapsed())} s: ${close.length} auctions, ${acknowledgement.length} quotes answered`)
  }, 5_000)
  try {
    await Promise.all(Array.from({ length: borrowers }, () => borrow(crowd, goesOn, options.signal)))
    const unanswered = await crowd.settle(settleMs)
    return { ...crowd.figures, seconds: elapsed(), auctions: crowd.figures.close.length, unanswered }
  } finally {
    clearInterval(ticking)
    await crowd.close()
  }
}

async function borrow(crowd: Crowd, goesOn: () => boolean, signal: AbortSignal): Promise<void> {
  while (goesOn()) {
    const end = await crowd.ask()
    const pauseMs = end.outcome === 'refused' ? end.retryAfterMs : end.outcome === 'broken' ? 1_000 : 0
    if (pauseMs > 0 && goesOn()) await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
