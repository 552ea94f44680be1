import { formatPrincipal, parsePrincipal } from '@firmquote/core'
import { bytes32, type Decoded, decode, type Shape } from '@firmquote/core/wire'
import * as z from 'zod/mini'
import { maxLifetimeSeconds } from './judgeAnswer.ts'
import type { Policy } from './policy.ts'

/**
 * A policy as represented in the configuration file, on the socket and in the daemon's store. Rates are simple APR in
 * basis points (`25`, `-2.5`). Sizes are whole loan tokens (`1000`, `'2,500.5'`). Rates and sizes may be numbers or
 * strings.
 */
export type PolicyDocument = Readonly<Record<string, unknown>>

/** Minimum number of seconds that a quote remains open after its auction, so that the taker has time to take it. */
const minLifetimeSeconds = 20
const defaultShares = { unverified: 20, taker: 25 }
const bp = 10n ** 14n
const tokenDecimals = 18

const bps = scalar('must be a number of basis points with at most 4 decimals, such as 25 or -2.5', parseBps)
const positiveBps = scalar('must be zero or more basis points, such as 25 or 2.5', (text) => {
  const value = parseBps(text)
  return value !== null && value >= 0n ? value : null
})
const size = scalar("must be a number of whole tokens, such as 1000 or '2,500.5'", parseSize)

const fields = {
  pools: z.pipe(
    z.union([
      z.literal('all'),
      z.array(z.strictObject({ poolId: bytes32, series: z.optional(z.array(bytes32)) })).check(z.minLength(1)),
    ]),
    z.transform((pools) =>
      pools === 'all' ? null : pools.map(({ poolId, series }) => ({ poolId, series: series ?? null })),
    ),
  ),
  minNotional: size,
  maxNotional: size,
  termSpread: z
    .array(z.strictObject({ days: wholeNumber(0, 36_500), bps }))
    .check(z.refine((points) => rises(points.map(({ days }) => days)), 'must be in increasing order of days')),
  sizeSpread: z
    .array(z.strictObject({ from: size, bps }))
    .check(z.refine((steps) => rises(steps.map(({ from }) => from)), 'must be in increasing order of size')),
  tickBps: scalar('must be more than zero basis points, such as 1 or 0.5', (text) => {
    const value = parseBps(text)
    return value !== null && value > 0n ? value : null
  }),
  floorBps: positiveBps,
  minBps: positiveBps,
  maxBps: positiveBps,
  lifetimeSeconds: wholeNumber(minLifetimeSeconds, maxLifetimeSeconds),
  // Policies from earlier versions lack these fields.
  unverifiedPercent: z._default(wholeNumber(0, 100), defaultShares.unverified),
  takerPercent: z._default(wholeNumber(0, 100), defaultShares.taker),
}

/** Shape of a policy document. Unknown keys are rejected. */
export const policyShape: Shape<Policy> = z.pipe(
  z.strictObject(fields).check(
    ordered('maxNotional', 'must not be below minNotional', ({ minNotional, maxNotional }) => [
      minNotional,
      maxNotional,
    ]),
    ordered('maxBps', 'must not be below minBps', ({ minBps, maxBps }) => [minBps, maxBps]),
    ordered('maxBps', 'must not be below floorBps', ({ floorBps, maxBps }) => [floorBps, maxBps]),
  ),
  z.transform(
    ({
      pools,
      minNotional,
      maxNotional,
      termSpread,
      sizeSpread,
      tickBps,
      floorBps,
      minBps,
      maxBps,
      lifetimeSeconds,
      unverifiedPercent,
      takerPercent,
    }) => ({
      pools,
      notional: { min: minNotional, max: maxNotional },
      termSpread: termSpread.map(({ days, bps: apr }) => ({ days, apr })),
      sizeSpread: sizeSpread.map(({ from, bps: apr }) => ({ from, apr })),
      tick: tickBps,
      floor: floorBps,
      bounds: { min: minBps, max: maxBps },
      lifetimeSeconds,
      shares: { unverified: unverifiedPercent, taker: takerPercent },
    }),
  ),
)

/** Decodes a policy or reports every mistake in it. */
export function decodePolicy(document: unknown): Decoded<Policy> {
  return decode(policyShape, document)
}

/** Encodes a policy as plain JSON. {@link decodePolicy} restores it. */
export function encodePolicy(policy: Policy): PolicyDocument {
  const { pools, notional, termSpread, sizeSpread, tick, floor, bounds, lifetimeSeconds, shares } = policy
  return {
    pools: pools?.map(({ poolId, series }) => (series ? { poolId, series: [...series] } : { poolId })) ?? 'all',
    minNotional: formatSize(notional.min),
    maxNotional: formatSize(notional.max),
    termSpread: termSpread.map(({ days, apr }) => ({ days, bps: formatBps(apr) })),
    sizeSpread: sizeSpread.map(({ from, apr }) => ({ from: formatSize(from), bps: formatBps(apr) })),
    tickBps: formatBps(tick),
    floorBps: formatBps(floor),
    minBps: formatBps(bounds.min),
    maxBps: formatBps(bounds.max),
    lifetimeSeconds,
    unverifiedPercent: shares.unverified,
    takerPercent: shares.taker,
  }
}

/** Decodes a number or a string exactly, without floating-point arithmetic. */
function scalar(expected: string, parse: (text: string) => bigint | null) {
  // JavaScript formats a number as the shortest text that parses to the same value, which is what the user typed.
  const parseAny = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? parse(String(value).trim()) : null
  return z.pipe(
    z.unknown().check(z.refine((value) => parseAny(value) !== null, expected)),
    z.transform((value) => parseAny(value) ?? 0n),
  )
}

function wholeNumber(least: number, most: number) {
  return z
    .number()
    .check(
      z.refine(
        (value) => Number.isInteger(value) && value >= least && value <= most,
        `must be a whole number from ${least} to ${most}`,
      ),
    )
}

function ordered(path: string, message: string, pick: (fields: Record<string, unknown>) => [unknown, unknown]) {
  const holds = (given: unknown) => {
    if (typeof given !== 'object' || given === null) return true
    const [low, high] = pick(given as Record<string, unknown>)
    return typeof low !== 'bigint' || typeof high !== 'bigint' || low <= high
  }
  // Run this check even if other fields are invalid.
  return z.refine(holds, { error: message, path: [path], when: () => true })
}

function parseBps(text: string): bigint | null {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,7})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const value = BigInt(whole + fraction.padEnd(4, '0')) * (bp / 10_000n)
  return sign === '-' ? -value : value
}

function formatBps(apr: bigint): string {
  const text = formatPrincipal(apr < 0n ? -apr : apr, 14, { grouping: false })
  return apr < 0n ? `-${text}` : text
}

function parseSize(text: string): bigint | null {
  try {
    return parsePrincipal(text, tokenDecimals)
  } catch {
    return null
  }
}

function formatSize(size: bigint): string {
  return formatPrincipal(size, tokenDecimals, { grouping: false })
}

/**
 * Whether the values are strictly increasing. Invalid values are ignored here, because their fields' checks report
 * them.
 */
function rises(values: readonly (bigint | number)[]): boolean {
  return values.every((value, index) => {
    const before = values[index - 1]
    return before === undefined || before < value || typeof before !== typeof value
  })
}
