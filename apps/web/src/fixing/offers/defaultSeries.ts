import type { Series } from '@firmquote/react'

const usualTermSeconds = 91 * 86_400

/**
 * The default series of a form or card: closest to three months from now, among those that satisfy `fits` if any do. A
 * tie goes to the shorter one. Pure.
 *
 * @param now Unix seconds.
 */
export function defaultSeries(
  series: readonly Series[],
  now: number,
  fits: (series: Series) => boolean = () => true,
): Series | undefined {
  const running = series.filter(({ expiry }) => expiry > now).toSorted((a, b) => a.expiry - b.expiry)
  const fitting = running.filter(fits)
  const distance = ({ expiry }: Series) => Math.abs(expiry - now - usualTermSeconds)
  return (fitting.length > 0 ? fitting : running).reduce<Series | undefined>(
    (nearest, next) => (nearest && distance(nearest) <= distance(next) ? nearest : next),
    undefined,
  )
}
