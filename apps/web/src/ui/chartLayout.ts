// Pure layout functions for a chart of rates over time.

/** A rate in percent at a time in Unix seconds. */
export type RatePoint = { at: number; percent: number }

/**
 * Returns the range of the rate axis. The range fits the data with a margin and spans at least one percentage point, so
 * that small differences look small.
 */
export function fitRates(percents: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...percents), Math.max(...percents)]
  const span = Math.max((high - low) * 1.3, 1)
  const start = Math.max(0, (low + high - span) / 2)
  return [start, start + span]
}

/** Splits points into line segments where consecutive points are more than `longestGap` seconds apart. */
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

/**
 * Returns the first days of the months in a range (UTC), in Unix seconds, at most `most` of them. If necessary,
 * keeps only every second, third, … month.
 */
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

/** Returns up to `most` evenly spaced days in a range (UTC), in Unix seconds, counted back from the last day. */
export function dayStarts(from: number, to: number, most: number): number[] {
  const day = 86_400
  const [first, last] = [Math.ceil(from / day), Math.floor(to / day)]
  const each = Math.max(1, Math.ceil((last - first + 1) / most))
  const starts: number[] = []
  for (let at = last; at >= first; at -= each) starts.unshift(at * day)
  return starts
}

/** Moves two overlapping labels apart by the same number of pixels each. */
export function apart(first: number, second: number, room: number): [number, number] {
  const missing = room - Math.abs(first - second)
  if (missing <= 0) return [first, second]
  const shift = first <= second ? -missing / 2 : missing / 2
  return [first + shift, second - shift]
}

/** Returns the point closest to a time (Unix seconds), or null if none is within half the longest gap. */
export function pointAt<Point extends RatePoint>(
  points: readonly Point[],
  at: number,
  longestGap: number,
): Point | null {
  let best: Point | null = null
  for (const point of points) {
    const distance = Math.abs(point.at - at)
    if (distance <= longestGap / 2 && (best === null || distance < Math.abs(best.at - at))) best = point
  }
  return best
}
