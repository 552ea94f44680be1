import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'

/** The waits between tries when luck is 0, and what tests have a service ask for. */
const hastyMs = new Set([100, 200, 400, 800, 1_000, 3_000, 4_000, 5_000])

/**
 * A clock that stands still, but for the waits between two tries: those are over at the next turn of the event loop. It
 * knows them by their length, for a client with `random: () => 0`; a time limit of a test must have another.
 */
export function createHastyClock(): FakeClock & { waits: number[] } {
  const clock = createFakeClock(1_767_225_600_000)
  const waits: number[] = []
  return {
    ...clock,
    waits,
    after(milliseconds, callback) {
      const cancel = clock.after(milliseconds, callback)
      if (!hastyMs.has(milliseconds)) return cancel
      waits.push(milliseconds)
      const turn = setImmediate(() => clock.advance(milliseconds))
      return () => {
        clearImmediate(turn)
        cancel()
      }
    },
  }
}
