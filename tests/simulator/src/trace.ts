import { hashWord } from './random.ts'

/** A record of a history's events, as text, counts and a hash. */
export type Trace = ReturnType<typeof createTrace>

/** Creates a trace. Lines are optional, since a long run produces millions. */
export function createTrace(now: () => number, keepLines: boolean) {
  const counts = new Map<string, number>()
  const lines: string[] = []
  let [left, right] = [0, 0x5bd1e995]
  return {
    /** Records an event at the current time. Events are counted by `kind`. */
    note(kind: string, text = '') {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const line = `${now().toFixed(3)} ${kind} ${text}`
      left = hashWord(line, left)
      right = hashWord(line, right ^ left)
      if (keepLines) lines.push(line)
    },
    /** A hash of all recorded events and their times, as 16 hex digits. */
    hash: () => left.toString(16).padStart(8, '0') + right.toString(16).padStart(8, '0'),
    counts: (): ReadonlyMap<string, number> => counts,
    /** The recorded lines; empty unless `keepLines` is set. */
    lines: (): readonly string[] => lines,
  }
}
