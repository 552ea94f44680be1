import type { Instance, Process } from './instanceState.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** The outcome of a request: a value, a service error, or nothing if the process was down or ended. */
export type Answer<T> = { value: T } | { error: unknown } | { lost: true }

/** Whether an error is an outage that the service may report. Any other error is a bug. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && /Unavailable|OutcomeUnknown|Overloaded/.test(error.name)
}

/** Creates a connection that delivers messages to a client in the order sent. */
export function createLine(timeline: Timeline, random: Random) {
  let arrivesAt = 0
  return (arrive: () => void) => {
    arrivesAt = Math.max(arrivesAt, timeline.now() + random.between(1, 15))
    timeline.at(arrivesAt, arrive)
  }
}

/** Creates one client's network. */
export function createRemote(
  { timeline, instances, oracle }: { timeline: Timeline; instances: readonly Instance[]; oracle: Oracle },
  random: Random,
) {
  const later = (run: () => void) => void timeline.at(timeline.now() + random.between(1, 15), run)
  return {
    /**
     * Sends a request. An error other than an outage is a violation. `onAnswer` is called when the service answers,
     * before the answer is sent over the network. `done` is called once, when the answer reaches the client.
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
        // If the process ends before receiving the request, or while suspended, the client receives no answer.
        const notTaken = () => later(() => done({ lost: true }))
        process.onEnd.add(notTaken)
        // A suspended process receives the request when it resumes.
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
    /** Returns a random ready instance, or null if there is none. */
    ready() {
      const candidates = instances.filter(({ readySince }) => readySince !== null)
      return candidates.length > 0 ? random.pick(candidates) : null
    },
  }
}
