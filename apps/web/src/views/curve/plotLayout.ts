// Where things stand in the plot. Everything in pixels but rates.

/** A place in the plot. */
export type Spot = { x: number; y: number }
/** A rectangle in the plot. */
export type Box = Spot & { width: number; height: number }

/**
 * The range of the rate axis, percent APR: fitted to what is shown, with air, and a whole percent at least, so that what differs little
 * looks like little. The floating rate is always in it; a fixed one of more than four times the usual is not, since all others would
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

/** Which of some places along an axis is nearest to a pointer there; the first of two that are as near. Null for none. */
export function nearest<Place extends { x: number }>(places: readonly Place[], x: number): Place | null {
  return places.reduce<Place | null>(
    (best, place) => (best !== null && Math.abs(best.x - x) <= Math.abs(place.x - x) ? best : place),
    null,
  )
}

/** Which of some labels, by their places along an axis, have room: from the last one backwards, since that one ends the axis. */
export function pickTicks<Tick extends { x: number }>(ticks: readonly Tick[], room: number): Tick[] {
  const picked: Tick[] = []
  for (const tick of ticks.toSorted((a, b) => b.x - a.x)) {
    const next = picked[0]
    if (next === undefined || next.x - tick.x >= room) picked.unshift(tick)
  }
  return picked
}

/** The first of some boxes that covers no point; the first of all where each of them does. */
export function clearBox(boxes: readonly [Box, ...Box[]], points: readonly Spot[]): Box {
  const margin = 8
  const covers = (box: Box) =>
    points.some(
      ({ x, y }) =>
        x > box.x - margin && x < box.x + box.width + margin && y > box.y - margin && y < box.y + box.height + margin,
    )
  return boxes.find((box) => !covers(box)) ?? boxes[0]
}
