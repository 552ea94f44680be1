import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'

/** The client's delays between attempts with `random: () => 0`, and the delays that test services request. */
const hastyMs = new Set([100, 200, 400, 800, 1_000, 3_000, 4_000, 5_000])

/**
 * A stopped clock whose delays between attempts end in the next event loop iteration. The clock recognizes these delays
 * by their length, for a client with `random: () => 0`, so a test's timeouts must differ in length.
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
