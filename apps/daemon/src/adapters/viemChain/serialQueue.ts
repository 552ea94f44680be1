/** Does one thing after the other, in the order of the calls, whether those before succeed or fail. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Creates it. An account's transactions are prepared with it: two that were prepared at the same time would have the same nonce, and
 * one of them would replace the other.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
}
