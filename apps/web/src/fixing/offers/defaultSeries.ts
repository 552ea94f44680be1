import type { Series } from '@firmquote/react'

const usualTermSeconds = 91 * 86_400

/**
 * The series that a form or a card starts with: the one that ends nearest to three months from now, of those that `fits` holds for
 * where there are any; of two equally near the shorter. Pure.
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
