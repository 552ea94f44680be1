// Where things stand in a chart of rates over time. Pure.

/** A rate at an instant: Unix seconds, percent. */
export type RatePoint = { at: number; percent: number }

/**
 * The range of the rate axis, fitted to what is shown with some air above and below, and never narrower than a whole percent:
 * what differs little looks like little.
 */
export function fitRates(percents: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...percents), Math.max(...percents)]
  const span = Math.max((high - low) * 1.3, 1)
  const start = Math.max(0, (low + high - span) / 2)
  return [start, start + span]
}

/** Points in pieces: a line ends where the next point is further off than `longestGap` seconds, since nothing is known between. */
export function pieces(points: readonly RatePoint[], longestGap: number): RatePoint[][] {
  const found: RatePoint[][] = []
  let last: RatePoint | undefined
  for (const point of points) {
    const piece = found.at(-1)
    if (piece && last && point.at - last.at <= longestGap) piece.push(point)
    else found.push([point])
    last = point
  }
  return found
}

/** The first days of months within a range, all in Unix seconds and UTC; of many each second, third … one, at most `most`. */
export function monthStarts(from: number, to: number, most: number): number[] {
  const first = new Date(from * 1000)
  const starts: number[] = []
  for (let month = 0; ; month += 1) {
    const start = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month) / 1000
    if (start > to) break
    if (start >= from) starts.push(start)
  }
  const each = Math.max(1, Math.ceil(starts.length / most))
  return starts.filter((_, index) => index % each === 0)
}

/** Days within a range, all in Unix seconds and UTC, evenly apart and back from the last one: of many at most `most`. */
export function dayStarts(from: number, to: number, most: number): number[] {
  const day = 86_400
  const [first, last] = [Math.ceil(from / day), Math.floor(to / day)]
  const each = Math.max(1, Math.ceil((last - first + 1) / most))
  const starts: number[] = []
  for (let at = last; at >= first; at -= each) starts.unshift(at * day)
  return starts
}

/** Moves two labels apart, pixels, where they would lie over each other, both by as much. */
export function apart(first: number, second: number, room: number): [number, number] {
  const missing = room - Math.abs(first - second)
  if (missing <= 0) return [first, second]
  const shift = first <= second ? -missing / 2 : missing / 2
  return [first + shift, second - shift]
}

/** The point that is nearest to an instant, Unix seconds, but no further from it than half of the longest gap; else null. */
export function pointAt(points: readonly RatePoint[], at: number, longestGap: number): RatePoint | null {
  let best: RatePoint | null = null
  for (const point of points) {
    const distance = Math.abs(point.at - at)
    if (distance <= longestGap / 2 && (best === null || distance < Math.abs(best.at - at))) best = point
  }
  return best
}
