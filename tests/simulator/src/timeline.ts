/** What happens when, in virtual milliseconds. Events of the same moment happen in the order in which they were planned. */
export type Timeline = {
  now(): number
  /** Plans an event, now at the earliest. The returned function cancels it. */
  at(moment: number, run: () => void): () => void
  /** Moves to the next event and runs it; false when there is none before `end`, and then it is `end`. */
  step(end: number): boolean
}

type Planned = { moment: number; order: number; run: (() => void) | null }

/** Creates a timeline that begins at zero. */
export function createTimeline(): Timeline {
  const heap: Planned[] = []
  let now = 0
  let planned = 0

  const isBefore = (a: Planned, b: Planned) => a.moment < b.moment || (a.moment === b.moment && a.order < b.order)

  const push = (item: Planned) => {
    let index = heap.length
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(item, parent)) break
      heap[index] = parent
      index = above
    }
    heap[index] = item
  }

  const pop = () => {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let index = 0
    for (;;) {
      let least = 2 * index + 1
      const [left, right] = [heap[least], heap[least + 1]]
      if (left === undefined) break
      let child = left
      if (right !== undefined && isBefore(right, left)) {
        least += 1
        child = right
      }
      if (!isBefore(child, last)) break
      heap[index] = child
      index = least
    }
    heap[index] = last
  }

  return {
    now: () => now,
    at(moment, run) {
      const item: Planned = { moment: Math.max(moment, now), order: planned, run }
      planned += 1
      push(item)
      return () => {
        item.run = null
      }
    },
    step(end) {
      for (;;) {
        const next = heap[0]
        if (next === undefined || next.moment > end) {
          now = end
          return false
        }
        pop()
        if (next.run === null) continue
        now = next.moment
        next.run()
        return true
      }
    },
  }
}
