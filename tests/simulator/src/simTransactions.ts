import type { Timeline } from './timeline.ts'

/** What a transaction asks for before its next statement runs: a row's lock, which it has until its end, or nothing. */
export type Statement = { locks?: string }

/**
 * The statements of one transaction. Each sees what was committed before it runs, as under READ COMMITTED, and what is after the
 * last of them is committed at once: nothing is changed before.
 */
export type Transaction<T> = Generator<Statement, T, void>

/** How a transaction has ended: `lockedAt` is when it had its last lock, in virtual milliseconds, and null for none. */
export type Ended<T> =
  | { value: T; lockedAt: number | null; waited: boolean }
  | { error: unknown }
  | { rolledBack: true }

/** Where the transactions of several connections run beside each other. */
export type SimTransactions = {
  /**
   * Runs one, whose first statement has just arrived.
   *
   * @param pause how long it takes until the next statement runs, in milliseconds.
   * @param isGone whether its client has gone: then it is rolled back.
   */
  run<T>(
    transaction: Transaction<T>,
    connection: { pause: () => number; isGone: () => boolean },
    onEnd: (ended: Ended<T>) => void,
  ): void
  /** Another server goes on from what was committed: what is under way is rolled back. */
  failOver(): void
}

/** Statements that wait for nobody. */
export const nextStatement: Statement = {}

/** Runs a transaction in one step: nobody else writes meanwhile. */
export function runAtOnce<T>(transaction: Transaction<T>): T {
  for (;;) {
    const { done, value } = transaction.next()
    if (done) return value
  }
}

/** Creates it without any transaction. */
export function createSimTransactions(timeline: Timeline): SimTransactions {
  /** Who has a row's lock, and who waits for it, in the order of their coming. */
  let locks = new Map<string, { owner: object; waiting: { owner: object; proceed: () => void }[] }>()
  let server = {}

  const take = (name: string, owner: object, proceed: () => void) => {
    const held = locks.get(name)
    if (held && held.owner !== owner) held.waiting.push({ owner, proceed })
    else {
      if (!held) locks.set(name, { owner, waiting: [] })
      proceed()
    }
  }

  const releaseAll = (names: Iterable<string>) => {
    for (const name of names) {
      const next = locks.get(name)?.waiting.shift()
      if (!next) {
        locks.delete(name)
        continue
      }
      const waiting = locks.get(name)?.waiting ?? []
      locks.set(name, { owner: next.owner, waiting })
      // As an event of its own, so that one end does not run through all that wait for it.
      timeline.at(timeline.now(), next.proceed)
    }
  }

  return {
    run(transaction, { pause, isGone }, onEnd) {
      const owner = {}
      const held = new Set<string>()
      const own = server
      let lockedAt: number | null = null
      let waited = false
      const finish = (ended: Parameters<typeof onEnd>[0]) => {
        if (own === server) releaseAll(held)
        onEnd(ended)
      }
      const step = () => {
        if (own !== server || isGone()) finish({ rolledBack: true })
        else advance()
      }
      const advance = () => {
        try {
          const { done, value } = transaction.next()
          if (done) return finish({ value, lockedAt, waited })
          const { locks: name } = value
          timeline.at(timeline.now() + pause(), () => {
            if (name === undefined || own !== server) return step()
            const askedAt = timeline.now()
            take(name, owner, () => {
              held.add(name)
              waited ||= timeline.now() > askedAt
              lockedAt = timeline.now()
              step()
            })
          })
        } catch (error) {
          finish({ error })
        }
      }
      advance()
    },
    failOver() {
      const before = locks
      server = {}
      locks = new Map()
      for (const { waiting } of before.values()) for (const { proceed } of waiting) timeline.at(timeline.now(), proceed)
    },
  }
}
