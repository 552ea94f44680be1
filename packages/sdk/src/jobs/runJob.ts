import type { AskedQuote, Attempt, Job, JobEffect, JobEvent, JobPlan } from './job.ts'
import { stepJob } from './job.ts'

/** An event about one attempt, without its number. */
type Told<Type extends JobEvent['type']> =
  Extract<JobEvent, { type: Type }> extends infer Event
    ? Event extends JobEvent
      ? Omit<Event, 'number'>
      : never
    : never

/** A wallet's answer to a request. `cause` is the wallet's error, if any. */
export type WalletAnswer = (
  | Told<'refused'>
  | Told<'unsupported'>
  | Told<'wouldRevert'>
  | Told<'called'>
  | Told<'sent'>
  | Told<'mined'>
) & { cause?: Error }

/** Carries out a job's effects. A rejected promise counts as a failure of that effect. */
export type JobExecutor = {
  /** Stores the job, so that it survives this process or page. */
  persist(job: Job): Promise<void> | void
  readPlan(job: Job, only: readonly AskedQuote['hash'][] | null): Promise<JobPlan>
  readOutcome(
    job: Job,
    quotes: readonly AskedQuote[],
  ): Promise<Omit<Extract<JobEvent, { type: 'outcomeRead' }>, 'type'>>
  /** Asks the wallet. Resolves to its answer. A rejection means that the outcome is unknown. */
  ask(job: Job, attempt: Attempt): Promise<WalletAnswer>
  /** Waits for the attempt's transaction. `onReplaced` receives the hash of a transaction that took its place. */
  watch(job: Job, attempt: Attempt, onReplaced: (hash: `0x${string}`) => void): Promise<Told<'mined'>>
}

/** A job with its latest failure. A new object after every change. */
export type JobSnapshot = {
  job: Job
  /** Why the last effect failed, or null. */
  error: Error | null
}

/** A running job. */
export type JobRunner = {
  read(): JobSnapshot
  /** Calls `listener` after every change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void
  send(event: JobEvent): void
  /** Resolves once the job waits for an event from outside, and no effect is pending. */
  settled(): Promise<JobSnapshot>
}

/**
 * Runs a job's effects and sends it their results. It reacts to nothing by itself: the caller sends `pressed`,
 * `block`, `connection` and, for a stored job, `restored` first.
 */
export function runJob(initial: Job, executor: JobExecutor): JobRunner {
  let snapshot: JobSnapshot = { job: initial, error: null }
  let pending = 0
  const waiting: (() => void)[] = []
  const listeners = new Set<() => void>()
  const update = (next: JobSnapshot) => {
    snapshot = next
    for (const listener of [...listeners]) listener()
  }
  const send = (event: JobEvent, error: Error | null = snapshot.error) => {
    const { job, effects } = stepJob(snapshot.job, event)
    update({ job, error: event.type === 'pressed' ? null : error })
    void carryOut(job, effects)
  }

  const carryOut = async (job: Job, effects: readonly JobEffect[]) => {
    const work: Promise<void>[] = []
    pending += 1
    try {
      for (const effect of effects) {
        if (effect.type === 'persist') await executor.persist(job)
        else work.push(perform(job, effect))
      }
    } catch (cause) {
      // The job could not be stored, so the wallet was not asked.
      const { attempt } = job
      if (attempt) send({ type: 'failed', number: attempt.number }, toError(cause))
    }
    try {
      await Promise.all(work)
    } finally {
      pending -= 1
      if (pending === 0) for (const resolve of waiting.splice(0)) resolve()
    }
  }

  const perform = async (job: Job, effect: Exclude<JobEffect, { type: 'persist' }>): Promise<void> => {
    const failed = (event: JobEvent) => (cause: unknown) => send(event, toError(cause))
    switch (effect.type) {
      case 'readPlan': {
        const { reading, only } = effect
        return executor
          .readPlan(job, only)
          .then((plan) => send({ type: 'planned', reading, plan }), failed({ type: 'planFailed', reading }))
      }
      case 'readOutcome':
        return executor
          .readOutcome(job, effect.quotes)
          .then((outcome) => send({ type: 'outcomeRead', ...outcome }), failed({ type: 'outcomeFailed' }))
      case 'ask': {
        const { number } = effect.attempt
        return executor
          .ask(job, effect.attempt)
          .then(
            ({ cause, ...answer }) => send({ ...answer, number } as JobEvent, cause),
            failed({ type: 'failed', number }),
          )
      }
      case 'watch': {
        const { number } = effect.attempt
        const onReplaced = (hash: `0x${string}`) => send({ type: 'replaced', number, hash })
        return executor
          .watch(job, effect.attempt, onReplaced)
          .then((mined) => send({ ...mined, number } as JobEvent), failed({ type: 'failed', number }))
      }
    }
  }

  return {
    read: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: (event) => send(event),
    async settled() {
      if (pending > 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return snapshot
    },
  }
}

const toError = (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause)))
