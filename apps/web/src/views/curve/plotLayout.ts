// Where things stand in the plot. Everything in pixels but rates.

/** A place in the plot. */
export type Spot = { x: number; y: number }
/** A rectangle in the plot. */
export type Box = Spot & { width: number; height: number }

/**
 * The range of the rate axis, percent APR. It spans at least half of the highest rate, and a whole percent: what differs
 * little looks like little. The floating rate is always in it; a fixed one of more than four times the usual is not, since
 * all others would look the same.
 */
export function rateDomain(aprs: readonly number[], floating: number): [number, number] {
  const all = [...aprs, floating].sort((a, b) => a - b)
  const usual = Math.max(floating, all[Math.floor((all.length - 1) / 2)] ?? 0)
  const within = all.filter((apr) => apr <= 4 * usual)
  const [low, high] = [Math.min(...within), Math.max(...within)]
  const span = Math.max((high - low) * 1.4, high / 2, 1)
  const start = Math.max(0, (low + high - span) / 2)
  return [start, start + span]
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

/** How far around a point a pointer means it: generous, but never nearer to another point. */
export function reach(point: Spot, others: readonly Spot[]): number {
  const distances = others.map(({ x, y }) => Math.hypot(x - point.x, y - point.y)).filter((distance) => distance > 0)
  return Math.max(8, Math.min(22, ...distances.map((distance) => distance / 2)))
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

/**
 * Where a box of facts stands: beside its point where there is room, else below the plot, but never on the point.
 */
export function placeFacts(
  point: Spot,
  facts: { width: number; height: number },
  plot: { width: number; height: number },
): Spot {
  const gap = 18
  const y = clamp(point.y - facts.height / 2, 0, Math.max(0, plot.height - facts.height))
  if (point.x + gap + facts.width <= plot.width) return { x: point.x + gap, y }
  if (point.x - gap - facts.width >= 0) return { x: point.x - gap - facts.width, y }
  return { x: clamp(point.x - facts.width / 2, 0, Math.max(0, plot.width - facts.width)), y: plot.height }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
