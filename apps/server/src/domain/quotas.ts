// Why: docs/decisions/0048-shared-quotas.md
import type { Rejection } from '@firmquote/core'
import { isCovered, type TakerDebt } from './takerDebt.ts'

/** Limits of one requester. */
export type RequesterLimits = {
  /** In any minute. */
  rfqsPerMinute: number
  /** Open at the same time. */
  openRfqs: number
}

/** Limits of one requester and of all. */
export type RequestLimits = RequesterLimits & {
  /**
   * Open at the same time by all requesters. Verified RFQs may use all of them, other RFQs half. Abandoned auctions may
   * continue beyond the limit, up to half as many.
   */
  openAuctions: number
}

/** A requester as counted by one of the limits. */
export type Count = { key: string; limits: RequesterLimits }

/** A request for a slot among the open auctions. */
export type RequestedSlot = {
  /** The counts of an unverified RFQ. */
  counts: readonly Count[]
  /** The proven taker's debt, which verifies an RFQ that it covers, and the counts of a verified RFQ. */
  taker: { debt: TakerDebt; notional: bigint; counts: readonly Count[] } | null
}

/** Totals of auctions: followed ones, the unverified ones among them, and abandoned ones. */
export type OpenTotals = { open: number; unverified: number; abandoned: number }

/** The counters at the time of a request. */
export type Counted = {
  /** Milliseconds by the clock of `times`. */
  now: number
  totals: OpenTotals
  /** The number of a requester's open auctions, abandoned ones included. */
  openOf(key: string): number
  /** The times at which a requester opened auctions in the last minute, earliest first. */
  times(key: string): readonly number[]
  /** The part of a taker's debt that open auctions have reserved, in raw units. */
  reserved(debt: Pick<TakerDebt, 'taker' | 'poolId'>): bigint
}

/** The reason for a refusal. */
export type QuotaRejection = Extract<Rejection, { code: 'TOO_MANY_OPEN' | 'RATE_LIMITED' | 'OVERLOADED' }>

/** A granted slot with its class and counts, or a refusal with the key that caused it; null for the total limit. */
export type SlotVerdict =
  | { ok: true; verified: boolean; counts: readonly Count[] }
  | { ok: false; rejection: QuotaRejection; key: string | null }

/** The length of a rate limit's window, in milliseconds. */
export const windowMs = 60_000
/** Proofs checked for each RFQ that a network may send. It is above 1 because verified takers have separate quotas. */
export const proofsPerRfq = 5
/** The limits of a wider network are this multiple, because one client may own many of the networks inside. */
const widerFactor = 4

/** The counts of an RFQ: its verified taker, or else its integrator, or else the networks of its sender. */
export function countsOf(
  {
    address,
    wider,
    integrator,
  }: { address: string; wider?: string; integrator?: { id: string; limits: RequesterLimits } },
  taker: string | null,
  { rfqsPerMinute, openRfqs }: RequesterLimits,
): Count[] {
  const limits = { rfqsPerMinute, openRfqs }
  if (taker !== null) return [{ key: `taker ${taker.toLowerCase()}`, limits }]
  if (integrator) return [{ key: `integrator ${integrator.id}`, limits: integrator.limits }]
  const widerLimits = { rfqsPerMinute: rfqsPerMinute * widerFactor, openRfqs: openRfqs * widerFactor }
  return [{ key: address, limits }, ...(wider === undefined ? [] : [{ key: wider, limits: widerLimits }])]
}

/** The key of a taker's debt in one pool. */
export function debtKey({ taker, poolId }: Pick<TakerDebt, 'taker' | 'poolId'>): string {
  return `${taker} ${poolId}`.toLowerCase()
}

/** Judges whether one more auction may open and whether it is verified. */
export function judgeSlot(asked: RequestedSlot, counted: Counted, { openAuctions }: RequestLimits): SlotVerdict {
  const { taker } = asked
  const verified = taker !== null && isCovered(taker.notional, taker.debt, counted.reserved(taker.debt))
  const counts = verified ? taker.counts : asked.counts
  const { open, unverified } = counted.totals
  if (open >= openAuctions || (!verified && unverified >= half(openAuctions))) {
    return { ok: false, rejection: { code: 'OVERLOADED' }, key: null }
  }
  for (const { key, limits } of counts) {
    const own = counted.openOf(key)
    if (own >= limits.openRfqs) {
      return { ok: false, rejection: { code: 'TOO_MANY_OPEN', open: own, limit: limits.openRfqs }, key }
    }
  }
  const late = rateLimited(counts, ({ rfqsPerMinute }) => rfqsPerMinute, counted)
  return late ?? { ok: true, verified, counts }
}

/** Judges whether one more proof of a taker may be checked, by the times of the last ones; null when it may. */
export function judgeProof(
  counts: readonly Count[],
  counted: Pick<Counted, 'now' | 'times'>,
): Extract<SlotVerdict, { ok: false }> | null {
  return rateLimited(counts, ({ rfqsPerMinute }) => rfqsPerMinute * proofsPerRfq, counted)
}

/** Whether one more auction may free its slot and continue as abandoned. */
export function mayBeAbandoned({ abandoned }: Pick<OpenTotals, 'abandoned'>, { openAuctions }: RequestLimits): boolean {
  return abandoned < half(openAuctions)
}

function half(openAuctions: number): number {
  return Math.ceil(openAuctions / 2)
}

function rateLimited(
  counts: readonly Count[],
  limitOf: (limits: RequesterLimits) => number,
  { now, times }: Pick<Counted, 'now' | 'times'>,
): Extract<SlotVerdict, { ok: false }> | null {
  for (const { key, limits } of counts) {
    const oldest = times(key).at(-limitOf(limits))
    if (oldest === undefined) continue
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000))
    return { ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds }, key }
  }
  return null
}

/** Failed checks of contract signatures allowed per sender and minute; the allowance refills continuously. */
export const maxFailedChecks = 20

/** The checks that may still fail for a sender, as of `at` in milliseconds. */
export type CheckAllowance = { left: number; at: number }

/** The allowance after refilling until `now`. */
export function accruedAllowance({ left, at }: CheckAllowance, now: number): number {
  return Math.min(maxFailedChecks, left + (now - at) * allowancePerMs)
}

/** Seconds until an allowance below one permits a check. */
export function allowanceSeconds(left: number): number {
  return Math.ceil((1 - left) / allowancePerMs / 1_000)
}

/** The rate at which an allowance refills. */
export const allowancePerMs = maxFailedChecks / windowMs
