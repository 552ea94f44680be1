// Layout of the plot. All values are pixels except rates.

/** A point in the plot. */
export type Spot = { x: number; y: number }
/** A rectangle in the plot. */
export type Box = Spot & { width: number; height: number }

/**
 * The rate axis's range in percent APR: fitted to the data with a margin, at least one percentage point wide, so that
 * small differences look small. It always includes the floating rate. It excludes fixed rates above four times the
 * median, since all others would
 * look the same.
 */
export function rateDomain(aprs: readonly number[], floating: number): [number, number] {
  const all = [...aprs, floating].sort((a, b) => a - b)
  const usual = Math.max(floating, all[Math.floor((all.length - 1) / 2)] ?? 0)
  const within = all.filter((apr) => apr <= 4 * usual)
  const [low, high] = [Math.min(...within), Math.max(...within)]
  const span = Math.max((high - low) * 1.4, 1)
  const start = Math.max(0, (low + high - span) / 2)
  return [start, start + span]
}

/** The item closest to a pointer along an axis; the first in a tie. Null without any. */
export function nearest<Place extends { x: number }>(places: readonly Place[], x: number): Place | null {
  return places.reduce<Place | null>(
    (best, place) => (best !== null && Math.abs(best.x - x) <= Math.abs(place.x - x) ? best : place),
    null,
  )
}

/** The axis labels that fit, chosen from the last one backwards, since that one ends the axis. */
export function pickTicks<Tick extends { x: number }>(ticks: readonly Tick[], room: number): Tick[] {
  const picked: Tick[] = []
  for (const tick of ticks.toSorted((a, b) => b.x - a.x)) {
    const next = picked[0]
    if (next === undefined || next.x - tick.x >= room) picked.unshift(tick)
  }
  return picked
}

/** The first box that covers no point, or the first box if each covers one. */
export function clearBox(boxes: readonly [Box, ...Box[]], points: readonly Spot[]): Box {
  const margin = 8
  const covers = (box: Box) =>
    points.some(
      ({ x, y }) =>
        x > box.x - margin && x < box.x + box.width + margin && y > box.y - margin && y < box.y + box.height + margin,
    )
  return boxes.find((box) => !covers(box)) ?? boxes[0]
}
