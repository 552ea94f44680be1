import { hashWord } from './random.ts'

/** The record of one history's events, as text, counts, and one hash. */
export type Trace = {
  /** Records an event at the current time. `kind` is what is counted. */
  note(kind: string, text?: string): void
  /** 16 hex digits that depend on all recorded events and their times. */
  hash(): string
  counts(): ReadonlyMap<string, number>
  /** The recorded lines; empty if they are not kept. */
  lines(): readonly string[]
}

/** Creates a trace. Keeping lines is optional, since a long run has millions. */
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
