import { markdownTable } from 'markdown-table'
import { type Percentiles, percentilesOf } from '../figures.ts'
import type { LoadResult } from './runLoad.ts'
import type { ServerFigures } from './serverFigures.ts'

/** Whether every quote was answered, no auction broke off and no backer was cut off. */
export function isFlawless({ unanswered, broken, lost, auctions }: LoadResult): boolean {
  return unanswered === 0 && broken.size === 0 && lost.size === 0 && auctions > 0
}

/** The figures of a load as text. */
export function printLoad(result: LoadResult, server: ServerFigures): string {
  const { auctions, seconds, acknowledgement, fanOut, close, verdicts, refused, broken, lost, unanswered } = result
  const rate = Math.round(acknowledgement.length / seconds)
  const rows = [
    rowOf('acknowledgement (quote sent -> verdict)', percentilesOf(acknowledgement)),
    rowOf('fan-out (RFQ posted -> at a backer)', percentilesOf(fanOut)),
    rowOf('close (promised -> done)', percentilesOf(close)),
    ...(server.delay ? [rowOf('event-loop delay of the server', server.delay)] : []),
  ]
  return [
    `${auctions} auctions and ${acknowledgement.length} answered quotes in ${seconds.toFixed(1)} s (${rate} quotes a second)`,
    '',
    markdownTable([['ms', 'count', 'p50', 'p95', 'p99', 'max'], ...rows], { align: ['l', 'r', 'r', 'r', 'r', 'r'] }),
    '',
    ...server.lines,
    `verdicts: ${listed(verdicts)}`,
    ...(refused.size > 0 ? [`RFQs refused: ${listed(refused)}`] : []),
    ...(broken.size > 0 ? [`AUCTIONS BROKEN OFF: ${listed(broken)}`] : []),
    ...(lost.size > 0 ? [`BACKERS CUT OFF: ${listed(lost)}`] : []),
    unanswered === 0 ? 'every quote was answered' : `QUOTES WITHOUT AN ANSWER: ${unanswered}`,
  ].join('\n')
}

function rowOf(name: string, { count, p50, p95, p99, max }: Percentiles): string[] {
  return [
    name,
    String(count || ''),
    ...[p50, p95, p99, max].map((value) => (Number.isNaN(value) ? '' : value.toFixed(2))),
  ]
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}
