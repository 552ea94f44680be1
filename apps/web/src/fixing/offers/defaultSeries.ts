import type { Series } from '@firmquote/react'

const usualTermSeconds = 91 * 86_400

/**
 * Returns the default series for a form or card: the one maturing closest to three months from now. Considers only
 * series for which `fits` returns true, if any. In a tie, the shorter series wins. Pure.
 *
 * @param now Unix seconds.
 * @param termSeconds The preferred length of the term.
 */
export function defaultSeries(
  series: readonly Series[],
  now: number,
  fits: (series: Series) => boolean = () => true,
  termSeconds = usualTermSeconds,
): Series | undefined {
  const running = series.filter(({ expiry }) => expiry > now).toSorted((a, b) => a.expiry - b.expiry)
  const fitting = running.filter(fits)
  const distance = ({ expiry }: Series) => Math.abs(expiry - now - termSeconds)
  return (fitting.length > 0 ? fitting : running).reduce<Series | undefined>(
    (nearest, next) => (nearest && distance(nearest) <= distance(next) ? nearest : next),
    undefined,
  )
}
