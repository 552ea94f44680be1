// Layout of the plot. All values except rates are in pixels.
import type { CurvePoint } from './curvePoints.ts'

/** A point in the plot. */
export type Spot = { x: number; y: number }
/** A rectangle in the plot. */
export type Box = Spot & { width: number; height: number }

/**
 * Returns the range of the rate axis, in percent APY. The range fits the data with a margin and spans at least one
 * percentage point, so that small differences look small. The range always includes the floating rate but excludes
 * fixed rates above four times the median, which would make all others look the same.
 */
export function rateDomain(fixed: readonly number[], floating: number): [number, number] {
  const all = [...fixed.filter(Number.isFinite), floating].sort((a, b) => a - b)
  const usual = Math.max(floating, all[Math.floor((all.length - 1) / 2)] ?? 0)
  const within = all.filter((percent) => percent <= 4 * usual)
  const [low, high] = [Math.min(...within), Math.max(...within)]
  const span = Math.max((high - low) * 1.4, 1)
  const start = Math.max(0, (low + high - span) / 2)
  return [start, start + span]
}

/**
 * Returns the outline of the band between the best rate and the median of the known quotes, or an empty string if they
 * differ in no term. `y` converts a rate.
 */
export function bandPath(
  points: readonly (Spot & { point: Pick<CurvePoint, 'effectiveApy' | 'median'> })[],
  y: (percent: number) => number,
): string {
  const above = points.map(({ point, ...spot }) => ({
    x: spot.x,
    y: point.median !== null && point.median > point.effectiveApy ? y(point.median) : spot.y,
  }))
  if (points.every((spot, index) => spot.y === above[index]?.y)) return ''
  return `${pathThrough(points)}${pathThrough(above.toReversed()).replace('M', 'L')}Z`
}

/** Returns a line through the spots. */
export function pathThrough(spots: readonly Spot[]): string {
  return spots.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}

/** Returns the item closest to the pointer along the axis, the first in a tie, or null if there are none. */
export function nearest<Place extends { x: number }>(places: readonly Place[], x: number): Place | null {
  return places.reduce<Place | null>(
    (best, place) => (best !== null && Math.abs(best.x - x) <= Math.abs(place.x - x) ? best : place),
    null,
  )
}

/** Picks axis labels that fit. Starts with the last label, which marks the end of the axis. */
export function pickTicks<Tick extends { x: number }>(ticks: readonly Tick[], room: number): Tick[] {
  const picked: Tick[] = []
  for (const tick of ticks.toSorted((a, b) => b.x - a.x)) {
    const next = picked[0]
    if (next === undefined || next.x - tick.x >= room) picked.unshift(tick)
  }
  return picked
}

/** Returns the first box that covers no points, or the first box if there is none. */
export function clearBox(boxes: readonly [Box, ...Box[]], points: readonly Spot[]): Box {
  const margin = 8
  const covers = (box: Box) =>
    points.some(
      ({ x, y }) =>
        x > box.x - margin && x < box.x + box.width + margin && y > box.y - margin && y < box.y + box.height + margin,
    )
  return boxes.find((box) => !covers(box)) ?? boxes[0]
}
