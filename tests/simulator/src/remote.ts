import type { Instance, Process } from './instanceState.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** What became of a request: a value, an error of the service, or nothing because the process ended or did not run. */
export type Answer<T> = { value: T } | { error: unknown } | { lost: true }

/** Whether an error is one that the service may throw: all others are bugs. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && /Unavailable|OutcomeUnknown|Overloaded/.test(error.name)
}

/** Creates a connection that carries messages to a client in the order in which they were sent. */
export function createLine(timeline: Timeline, random: Random) {
  let arrivesAt = 0
  return (arrive: () => void) => {
    arrivesAt = Math.max(arrivesAt, timeline.now() + random.between(1, 15))
    timeline.at(arrivesAt, arrive)
  }
}

/** Creates the network of one client. */
export function createRemote(
  { timeline, instances, oracle }: { timeline: Timeline; instances: readonly Instance[]; oracle: Oracle },
  random: Random,
) {
  const later = (run: () => void) => void timeline.at(timeline.now() + random.between(1, 15), run)
  return {
    /**
     * Sends a request. An error that is no outage violates a rule. `onAnswer` is called where the service answers, before the answer travels; `done` is called once,
     * where the client is.
     */
    call<T>(
      instance: Instance,
      request: (process: Process) => Promise<T>,
      done: (answer: Answer<T>) => void,
      onAnswer?: (answer: Answer<T>) => void,
    ) {
      later(() => {
        const { process } = instance
        if (!process || instance.readySince === null) {
          onAnswer?.({ lost: true })
          later(() => done({ lost: true }))
          return
        }
        // If it ends before it has taken the request, at this moment or while it is held up, nothing of it is heard.
        const notTaken = () => later(() => done({ lost: true }))
        process.onEnd.add(notTaken)
        // A process that is held up takes the request when it goes on.
        process.life.after(0, () => {
          process.onEnd.delete(notTaken)
          let answered = false
          const answer = (given: Parameters<typeof done>[0]) => {
            if (answered) return
            answered = true
            if ('error' in given && !isOutage(given.error)) oracle.violation(`a request threw ${String(given.error)}`)
            process.onEnd.delete(onEnd)
            onAnswer?.(given)
            later(() => done(given))
          }
          const onEnd = () => answer({ lost: true })
          process.onEnd.add(onEnd)
          request(process).then(
            (value) => answer({ value }),
            (error: unknown) => answer({ error }),
          )
        })
      })
    },
    /** One of the instances that are ready; null when there is none. */
    ready() {
      const candidates = instances.filter(({ readySince }) => readySince !== null)
      return candidates.length > 0 ? random.pick(candidates) : null
    },
  }
}
