import type { Halt as PublicHalt, Rejection, ServiceHealth } from '@firmquote/core'
import { type Shape, unixMilliseconds } from '@firmquote/core/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'

/** What is halted: all new RFQs, or a pool or series. */
export type HaltTarget = { scope: 'rfqs' } | { scope: 'pool'; poolId: Hex } | { scope: 'series'; seriesKey: Hex }

/** The halt of a market, or of all new RFQs. */
export type Halt = HaltTarget & {
  kind: 'halt'
  /** Unix milliseconds. */
  since: number
  /** For borrowers. */
  message: string | null
  /** For operators. Null for a halt of all RFQs, whose message says why. */
  why: string | null
}

/** A request's or quote's market. `seriesKey` is absent while unknown. */
export type Market = { poolId: Hex; seriesKey?: Hex }

/** The halts of one version of the controls, oldest first, and lookups. */
export type Halts = {
  all: readonly Halt[]
  /** The halt of new RFQs. */
  ofRfqs: Halt | null
  /** The halt of a market's pool or series. */
  ofMarket(market: Market): Halt | null
}

/** The body of a halt's row. */
export const haltBody: Shape<Pick<Halt, 'since' | 'message' | 'why'>> = z.strictObject({
  since: unixMilliseconds,
  message: z.nullable(z.string()),
  why: z.nullable(z.string()),
})

/** The subject of a halt's row. */
export function haltSubject(target: HaltTarget): string {
  if (target.scope === 'rfqs') return 'rfqs'
  return target.scope === 'pool' ? `pool:${target.poolId}` : `series:${target.seriesKey}`
}

/**
 * Parses the subject of a halt's row.
 *
 * @throws {TypeError} if it is not one of {@link haltSubject}.
 */
export function parseHaltSubject(subject: string): HaltTarget {
  if (subject === 'rfqs') return { scope: 'rfqs' }
  const [, scope, digits] = /^(pool|series):0x([0-9a-f]{64})$/.exec(subject) ?? []
  if (scope === 'pool') return { scope, poolId: `0x${digits}` }
  if (scope === 'series') return { scope, seriesKey: `0x${digits}` }
  throw new TypeError(`The control halt has an unexpected subject: ${subject}.`)
}

/** Indexes halts. */
export function indexHalts(halts: readonly Halt[]): Halts {
  const all = halts.toSorted((a, b) => a.since - b.since)
  const bySubject = new Map(all.map((halt) => [haltSubject(halt), halt]))
  const find = (target: HaltTarget) => bySubject.get(haltSubject(target)) ?? null
  return {
    all,
    ofRfqs: find({ scope: 'rfqs' }),
    ofMarket: ({ poolId, seriesKey }) =>
      find({ scope: 'pool', poolId }) ?? (seriesKey === undefined ? null : find({ scope: 'series', seriesKey })),
  }
}

/** A halt as a rejection. */
export function haltRejection({ scope, since, message }: Halt): Extract<Rejection, { code: 'MARKET_HALTED' }> {
  return { code: 'MARKET_HALTED', scope, since, message }
}

/** A halt as clients see it, without the operator's reason. */
export function publicHalt({ scope, since, message }: Halt): PublicHalt {
  return { scope, since, ...(message !== null && { message }) }
}

/** A halt and its scope, as clients see them. */
export function publicHaltOf(halt: Halt): NonNullable<ServiceHealth['halts']>[number] {
  const { scope } = halt
  const subject = scope === 'pool' ? { poolId: halt.poolId } : scope === 'series' ? { seriesKey: halt.seriesKey } : {}
  return { ...publicHalt(halt), ...subject }
}
