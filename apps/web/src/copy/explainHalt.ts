import { oneLine } from '@firmquote/react'
import type { Words } from './words.ts'

/** Longest message shown, in characters. Services send at most this many. */
const mostMessage = 280

/** Says that the operator has paused a market or all requests. `message` is the operator's own, as plain text. Pure. */
export function explainHalt(message: unknown, { texts }: Pick<Words, 'texts'>): string {
  const line = typeof message === 'string' ? oneLine(message, mostMessage) : ''
  return line === '' ? texts.codes.MARKET_HALTED : texts.common.pausedFor(line)
}
