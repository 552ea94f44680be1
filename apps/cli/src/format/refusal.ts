import { describeRejection, type Rejection, type RejectionWords } from '@firmquote/core'
import { parseUint256 } from '@firmquote/core/utils'

/**
 * Names of the facts that are amounts or times in seconds, by refusal code. These facts are decimal strings on the
 * wire.
 */
const numbers: Readonly<Record<string, readonly string[]>> = {
  NOTIONAL_TOO_SMALL: ['notional', 'limit'],
  NOTIONAL_TOO_LARGE: ['notional', 'limit'],
  VRT_AMOUNT_TOO_LARGE: ['vrtAmount', 'limit'],
  CAPACITY_EXCEEDED: ['notional', 'capacity'],
  INSUFFICIENT_BALANCE: ['balance', 'needed'],
  INSUFFICIENT_ALLOWANCE: ['allowance', 'needed'],
  DEADLINE_PASSED: ['deadline', 'limit'],
  DEADLINE_TOO_SOON: ['deadline', 'limit'],
  DEADLINE_TOO_FAR: ['deadline', 'limit'],
}

/**
 * Rewrites a refusal from the service, with amounts in tokens and times as dates. Pure.
 *
 * @param facts unvalidated, as the service sent them.
 * @returns undefined if there is no amount or time to rewrite, or if the facts do not match the code.
 */
export function restateRefusal(
  code: string,
  facts: Readonly<Record<string, unknown>>,
  words: RejectionWords,
): string | undefined {
  const rejection = readRejection(code, facts)
  return rejection && describeRejection(rejection, words)
}

function readRejection(code: string, facts: Readonly<Record<string, unknown>>): Rejection | undefined {
  if (code === 'SERIES_EXPIRED') {
    const { seriesKey, expiry } = facts
    return isHexText(seriesKey) && isSeconds(expiry) ? { code, seriesKey, expiry } : undefined
  }
  if (code === 'MAKER_BANNED') {
    const { maker, until } = facts
    return isHexText(maker) && isSeconds(until) ? { code, maker, until } : undefined
  }
  if (code === 'SERIES_NOT_FOUND') {
    const { poolId, seriesKey, available } = facts
    const known = isHexText(poolId) && (seriesKey === null || isHexText(seriesKey))
    return known && Array.isArray(available) && available.every(isSeconds)
      ? { code, poolId, seriesKey, available }
      : undefined
  }
  const names = Object.hasOwn(numbers, code) ? numbers[code] : undefined
  const values = names?.map((name) => [name, typeof facts[name] === 'string' ? parseUint256(facts[name]) : null])
  if (!values || values.some(([, value]) => value === null)) return undefined
  return { code, ...Object.fromEntries(values) } as Rejection
}

function isHexText(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && value.startsWith('0x')
}

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
