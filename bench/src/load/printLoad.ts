import { type Percentiles, percentilesOf } from './percentiles.ts'
import type { LoadResult } from './runLoad.ts'
import type { ServerFigures } from './serverFigures.ts'

/** Whether a load went as it must: every quote answered, no auction broken off, no backer cut off. */
export function isFlawless({ unanswered, broken, lost, auctions }: LoadResult): boolean {
  return unanswered === 0 && broken.size === 0 && lost.size === 0 && auctions > 0
}

/** The figures of a load as text. */
export function printLoad(result: LoadResult, server: ServerFigures): string {
  const { auctions, seconds, acknowledgement, fanOut, close, verdicts, refused, broken, lost, unanswered } = result
  const rows: [string, Percentiles][] = [
    ['acknowledgement (quote sent -> verdict)', percentilesOf(acknowledgement)],
    ['fan-out (RFQ posted -> at a backer)', percentilesOf(fanOut)],
    ['close (promised -> done)', percentilesOf(close)],
    ...(server.delay ? [['event-loop delay of the server', server.delay] as [string, Percentiles]] : []),
  ]
  const rate = Math.round(acknowledgement.length / seconds)
  return [
    `${auctions} auctions and ${acknowledgement.length} answered quotes in ${seconds.toFixed(1)} s (${rate} quotes a second)`,
    '',
    `${'ms'.padEnd(40)}${['count', 'p50', 'p95', 'p99', 'max'].map((name) => name.padStart(10)).join('')}`,
    ...rows.map(
      ([name, { count, p50, p95, p99, max }]) =>
        `${name.padEnd(40)}${String(count || '').padStart(10)}${[p50, p95, p99, max].map((value) => (Number.isNaN(value) ? '' : value.toFixed(2)).padStart(10)).join('')}`,
    ),
    '',
    ...server.lines,
    `verdicts: ${listed(verdicts)}`,
    ...(refused.size > 0 ? [`RFQs refused: ${listed(refused)}`] : []),
    ...(broken.size > 0 ? [`AUCTIONS BROKEN OFF: ${listed(broken)}`] : []),
    ...(lost.size > 0 ? [`BACKERS CUT OFF: ${listed(lost)}`] : []),
    unanswered === 0 ? 'every quote was answered' : `QUOTES WITHOUT AN ANSWER: ${unanswered}`,
  ].join('\n')
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}
