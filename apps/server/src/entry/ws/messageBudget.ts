import type { Clock, PublicRfqId } from '@firmquote/core'

/** What a message has cost on its arrival: one of the socket's messages, or nothing yet. */
export type Charge = 'token' | 'credit'

/** How many messages a socket may send. */
export type MessageBudget = {
  /** Charges a message that has arrived; null when it is one too many. */
  charge(): Charge | null
  /** Settles what a message costs, once it is known what it is: false when it was one too many. */
  settle(charge: Charge, isFree: boolean): boolean
}

/**
 * Creates a token bucket: `messages` at once, and as many again in every `periodMs`, refilled continuously. Until it is known
 * whether they are free, as many messages again are taken on credit.
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

/** So many answers to each RFQ cost no message: as many as an auction judges of one backer. */
const freeAnswers = 3
/** More RFQs than this are answered by nobody at the same time; beyond, those that are over are forgotten. */
const mostAnswered = 1_000

/**
 * Creates the function that says whether an answer of one session is free: one of the first three to an RFQ that the session
 * was told of. So no number of RFQs makes an honest backer send too much.
 */
export function createFreeAnswers(wasSent: (rfqId: PublicRfqId) => boolean): (rfqId: PublicRfqId) => boolean {
  const answers = new Map<PublicRfqId, number>()
  return (rfqId) => {
    const count = answers.get(rfqId) ?? 0
    if (count >= freeAnswers || !wasSent(rfqId)) return false
    answers.set(rfqId, count + 1)
    if (answers.size > mostAnswered) {
      for (const known of answers.keys()) if (!wasSent(known)) answers.delete(known)
    }
    return true
  }
}
