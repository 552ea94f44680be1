import type { Clock } from '@firmquote/core/utils'
import type { ReceiptCounts } from '@firmquote/sdk/proofs'
import { formatMetrics, type Metric, toTokens } from '../domain/formatMetrics.ts'
import type { FundsWatch } from './fundsWatch.ts'

/** Counters since the daemon started. */
export type Counts = {
  /** Counts a verdict on a quote: `ACCEPTED` or a rejection code. */
  verdict(code: string): void
  /** Counts a declined RFQ. */
  declined(code: string): void
  rankedFirst(): void
  filled(): void
  settled(positions: number): void
  checkpointTaken(): void
  /** Counts something that is wrong with a receipt or a promise. */
  receiptProblem(code: string): void
}

/** Values read when metrics are requested. */
export type MetricsSources = {
  funds: Pick<FundsWatch, 'view' | 'alerts'>
  hookQueue(): Promise<number>
  /** Null if no receipts are kept. */
  receipts(): ReceiptCounts | null
  /** Number of the witness's signatures. */
  cosignatures(): number
  isAuthenticated(): boolean
  clock: Clock
}

/** The daemon's metrics. They contain no addresses. */
export type DaemonMetrics = { counts: Counts; format(sources: MetricsSources): Promise<string> }

/** Maximum number of distinct codes per metric. Bounds memory. */
const maxCodes = 100

/** Creates a daemon's metrics. */
export function createDaemonMetrics(): DaemonMetrics {
  const verdicts = new Map<string, number>()
  const declines = new Map<string, number>()
  const problems = new Map<string, number>()
  const totals = { first: 0, fills: 0, settled: 0, checkpoints: 0 }

  return {
    counts: {
      verdict: (code) => count(verdicts, code),
      declined: (code) => count(declines, code),
      rankedFirst() {
        totals.first += 1
      },
      filled() {
        totals.fills += 1
      },
      settled(positions) {
        totals.settled += positions
      },
      checkpointTaken() {
        totals.checkpoints += 1
      },
      receiptProblem: (code) => count(problems, code),
    },
    async format({ funds, hookQueue, receipts, cosignatures, isAuthenticated, clock }) {
      const view = funds.view()
      const tokens = view?.tokens ?? []
      const byToken = (value: (one: (typeof tokens)[number]) => number) =>
        tokens.map((one) => ({ labels: { token: one.token }, value: value(one) }))
      const alerts = funds.alerts().map(({ code, token }) => {
        return { labels: { code, ...(token === null ? {} : { token }) }, value: 1 }
      })
      const promises = receipts() ?? { receipts: 0, kept: 0, broken: 0, open: 0 }
      const answered = [...verdicts.values()].reduce((sum, value) => sum + value, 0)
      return formatMetrics([
        total('quotes', 'Quotes with a verdict from the service.', answered),
        byCode('verdicts', 'Quotes by verdict: ACCEPTED or the rejection code.', verdicts),
        byCode('declines', 'Declined RFQs by code.', declines),
        total('ranked_first', 'Auctions in which this maker ranked first.', totals.first),
        total('fills', 'Filled quotes.', totals.fills),
        total('settled_positions', 'Positions settled by the keeper.', totals.settled),
        total('checkpoints', 'Checkpoints created by this daemon.', totals.checkpoints),
        total('log_cosignatures', "This maker's signatures of the service's log, as a witness.", cosignatures()),
        total('receipts', 'Valid receipts from the service.', promises.receipts),
        {
          ...{ name: `${prefix}promises_total`, type: 'counter', help: "The service's promises, kept or broken." },
          samples: (['kept', 'broken'] as const).map((result) => ({ labels: { result }, value: promises[result] })),
        },
        byCode('receipt_problems', 'Problems with receipts and promises by code.', problems),
        gauge('open_promises', 'Promises whose time has not come, or that the log does not show yet.', [
          { value: promises.open },
        ]),
        gauge(
          'quoted_tokens',
          'Notional of quotes that can still be taken.',
          byToken(({ quoted, decimals }) => toTokens(quoted, decimals)),
        ),
        gauge(
          'open_tokens',
          'Notional of unsettled positions.',
          byToken(({ open, decimals }) => toTokens(open, decimals)),
        ),
        gauge(
          'balance_tokens',
          "The maker's balance of the loan token.",
          byToken(({ balance, decimals }) => toTokens(balance, decimals)),
        ),
        gauge(
          'allowance_left_percent',
          'Allowance as a percentage of the balance, at most 100.',
          byToken(({ balance, allowance }) => percentOf(allowance, balance)),
        ),
        gauge(
          'gas_balance_coins',
          "The maker's balance of the chain's native coin.",
          view ? [{ value: toTokens(view.gas.balance, 18) }] : [],
        ),
        gauge('hook_queue', 'Fills not yet delivered to the hook.', [{ value: await hookQueue() }]),
        gauge('connected', 'Whether the service has authenticated the daemon, 1 or 0.', [
          { value: isAuthenticated() ? 1 : 0 },
        ]),
        gauge(
          'block_age_seconds',
          'Age of the newest block at scrape time.',
          view ? [{ value: Math.max(0, Math.floor(clock.now() / 1_000) - view.blockTime) }] : [],
        ),
        gauge('alert', 'Active alerts, 1 for each.', alerts),
      ])
    },
  }
}

const prefix = 'firmquote_daemon_'

function total(name: string, help: string, value: number): Metric {
  return { name: `${prefix}${name}_total`, type: 'counter', help, samples: [{ value }] }
}

function byCode(name: string, help: string, counts: ReadonlyMap<string, number>): Metric {
  const samples = [...counts].map(([code, value]) => ({ labels: { code }, value }))
  return { name: `${prefix}${name}_total`, type: 'counter', help, samples }
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `${prefix}${name}`, type: 'gauge', help, samples }
}

function count(counts: Map<string, number>, code: string): void {
  const isCode = /^[A-Z0-9_]{1,64}$/.test(code)
  const key = isCode && (counts.has(code) || counts.size < maxCodes) ? code : 'OTHER'
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function percentOf(part: bigint, whole: bigint): number {
  if (whole === 0n || part >= whole) return part === 0n ? 0 : 100
  return Number((part * 10_000n) / whole) / 100
}
