import { formatFigure, formatGoal, judgeFinding } from './judgeFinding.ts'
import type { Outcome } from './runReport.ts'

/** The output of a run. */
export type Terminal = {
  /** The current activity: one changing line on a terminal, plain lines elsewhere. */
  progress(text: string): void
  /** A line that stays. */
  line(text: string): void
  /** The result of a row. */
  outcome(outcome: Outcome): void
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>

/** Writes to a terminal in colour, unless `NO_COLOR` is set, and elsewhere in plain lines. */
export function createTerminal(stream: Stream, env: NodeJS.ProcessEnv): Terminal {
  const colours = stream.isTTY && !env['NO_COLOR']
  const paint = (code: number, text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const clear = stream.isTTY ? '\r\x1b[2K' : ''

  const line = (text: string) => void stream.write(`${clear}${text.trimEnd()}\n`)
  return {
    progress(text) {
      // A line that wraps could not be cleared.
      if (stream.isTTY) stream.write(clear + paint(2, text.slice(0, (stream.columns || 80) - 1)))
      else stream.write(`${text}\n`)
    },
    line,
    outcome({ id, seconds, failure, skipped, findings = [] }) {
      if (failure !== undefined) line(`${paint(31, 'failed')}       ${id} (${seconds} s): ${failure}`)
      if (skipped !== undefined) line(`skipped       ${id}: ${skipped}`)
      for (const finding of findings) {
        const verdict = judgeFinding(finding)
        const word = paint(verdict === 'falls short' ? 31 : 32, verdict.padEnd(11))
        const goal = formatGoal(finding) && `, goal ${formatGoal(finding)}`
        line(`${word}  ${finding.what}: ${formatFigure(finding.figure, finding.unit)}${goal}`)
      }
    },
  }
}
