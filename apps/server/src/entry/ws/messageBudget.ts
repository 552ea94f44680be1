import type { PublicRfqId } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'

/** The charge for a message on arrival: one of the socket's tokens or credit. */
export type Charge = 'token' | 'credit'

/** Limits the messages that a socket may send. */
export type MessageBudget = {
  /** Counts an incoming message against the limit. Returns null if the message exceeds the limit. */
  charge(): Charge | null
  /** Settles the charge once the message's kind is known. Returns false if the message exceeds the limit. */
  settle(charge: Charge, isFree: boolean): boolean
}

/**
 * Creates a token bucket with a capacity of `messages`, refilled continuously over `periodMs`. Messages that may be
 * free are charged on credit, up to `messages` at a time.
 */
export function createMessageBudget(
  clock: Pick<Clock, 'monotonic'>,
  { messages, periodMs }: { messages: number; periodMs: number },
): MessageBudget {
  let tokens = messages
  let refilledAt = clock.monotonic()
  let credit = 0
  const takeToken = (): boolean => {
    const now = clock.monotonic()
    tokens = Math.min(messages, tokens + ((now - refilledAt) * messages) / periodMs)
    refilledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  return {
    charge() {
      if (takeToken()) return 'token'
      if (credit >= messages) return null
      credit += 1
      return 'credit'
    },
    settle(charge, isFree) {
      if (charge === 'credit') {
        credit -= 1
        return isFree || takeToken()
      }
      if (isFree) tokens += 1
      return true
    },
  }
}

/** Free answers per RFQ, as many as an auction judges quotes per backer. */
const freeAnswers = 3
/** Number of tracked RFQs above which closed RFQs are removed. No backer answers that many RFQs at once. */
const maxAnswered = 1_000

/**
 * Creates a function that returns whether an answer to an RFQ is free. The first three answers to each RFQ sent to the
 * session are free, so an honest backer never exceeds its limit, regardless of the number of RFQs.
 */
export function createFreeAnswers(wasSent: (rfqId: PublicRfqId) => boolean): (rfqId: PublicRfqId) => boolean {
  const answers = new Map<PublicRfqId, number>()
  return (rfqId) => {
    const count = answers.get(rfqId) ?? 0
    if (count >= freeAnswers || !wasSent(rfqId)) return false
    answers.set(rfqId, count + 1)
    if (answers.size > maxAnswered) {
      for (const known of answers.keys()) if (!wasSent(known)) answers.delete(known)
    }
    return true
  }
}
