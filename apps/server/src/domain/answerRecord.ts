// Why: docs/decisions/0073-early-taking.md
import type { RFQProgress } from '@firmquote/core'

/** Whether a maker answered each of its last RFQs, up to {@link recordLength}. The newest is the lowest bit. */
export type AnswerRecord = { rfqs: number; answers: number }

/** The record of a new maker. */
export const noAnswers: AnswerRecord = { rfqs: 0, answers: 0 }

const recordLength = 20

/** Adds an RFQ to a maker's record. */
export function withRfq({ rfqs, answers }: AnswerRecord, answered: boolean): AnswerRecord {
  const bits = (answers << 1) | Number(answered)
  return { rfqs: Math.min(rfqs + 1, recordLength), answers: bits & (2 ** recordLength - 1) }
}

/** Whether a maker is expected to answer: it answered at least half of its recorded RFQs, and at least one. */
export function isExpected({ rfqs, answers }: AnswerRecord): boolean {
  let answered = 0
  for (let bits = answers; bits > 0; bits >>= 1) answered += bits & 1
  return answered > 0 && answered * 2 >= rfqs
}

/**
 * Counts an RFQ's answers by maker. A maker that answers unexpectedly counts as expected too, so that `answered` equals
 * `expected` exactly when all expected makers have answered. Returns null if no maker is expected, because the first
 * answer would then seem to be the last.
 *
 * @param backers the number of makers connected when the RFQ was opened.
 */
export function countAnswers(
  expected: ReadonlySet<string>,
  answered: ReadonlySet<string>,
  backers: number,
): RFQProgress | null {
  if (expected.size === 0) return null
  const all = new Set([...expected, ...answered]).size
  // Makers may have connected since the opening.
  return { answered: answered.size, expected: all, backers: Math.max(backers, all) }
}
