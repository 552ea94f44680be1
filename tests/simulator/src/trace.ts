import { hashWord } from './random.ts'

/** Everything that has happened in one history, as text, as counts, and as one hash. */
export type Trace = {
  /** Notes what has happened now. `kind` is what is counted. */
  note(kind: string, text?: string): void
  /** 16 hex digits that follow from everything that was noted, and when. */
  hash(): string
  counts(): ReadonlyMap<string, number>
  /** The lines; empty unless they are kept. */
  lines(): readonly string[]
}

/** Creates a trace. Lines are kept only if asked for: a long run has millions. */
export function createTrace(now: () => number, keepLines: boolean): Trace {
  const counts = new Map<string, number>()
  const lines: string[] = []
  let [left, right] = [0, 0x5bd1e995]
  return {
    note(kind, text = '') {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const line = `${now().toFixed(3)} ${kind} ${text}`
      left = hashWord(line, left)
      right = hashWord(line, right ^ left)
      if (keepLines) lines.push(line)
    },
    hash: () => left.toString(16).padStart(8, '0') + right.toString(16).padStart(8, '0'),
    counts: () => counts,
    lines: () => lines,
  }
}
