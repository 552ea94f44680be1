/** An event queue in virtual milliseconds. Simultaneous events run in scheduling order. */
export type Timeline = ReturnType<typeof createTimeline>

type Planned = { moment: number; run: (() => void) | null }

/** Creates a timeline that starts at zero. */
export function createTimeline() {
  /** Pending events. The next one is last. */
  const planned: Planned[] = []
  let now = 0

  return {
    now: () => now,
    /** Schedules an event for `moment`, or for now if that has passed. Returns a function that cancels the event. */
    at(moment: number, run: () => void) {
      const item: Planned = { moment: Math.max(moment, now), run }
      let [from, to] = [0, planned.length]
      while (from < to) {
        const middle = (from + to) >> 1
        if ((planned[middle]?.moment ?? 0) > item.moment) from = middle + 1
        else to = middle
      }
      planned.splice(from, 0, item)
      return () => {
        item.run = null
      }
    },
    /**
     * Advances to the next event before `end` and runs it. If there is no such event, advances to `end` and returns
     * false.
     */
    step(end: number): boolean {
      for (;;) {
        const next = planned.at(-1)
        if (next === undefined || next.moment > end) {
          now = end
          return false
        }
        planned.pop()
        if (next.run === null) continue
        now = next.moment
        next.run()
        return true
      }
    },
  }
}
