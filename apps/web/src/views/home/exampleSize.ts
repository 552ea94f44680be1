import type { Pool } from '@firmquote/react'

/**
 * Returns a calculator's initial amount in raw units: 250,000 tokens or, if the market lacks the capacity, the largest
 * power of ten that fits. Pure.
 */
export function exampleSize({ loanToken, series }: Pick<Pool, 'loanToken' | 'series'>): bigint {
  const usual = 250_000n * 10n ** BigInt(loanToken.decimals)
  const [most = 0n] = series.map(({ capacity }) => capacity).toSorted((a, b) => (a < b ? 1 : -1))
  return most === 0n || most >= usual ? usual : 10n ** BigInt(most.toString().length - 1)
}
