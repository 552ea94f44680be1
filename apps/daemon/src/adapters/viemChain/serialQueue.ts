/** Runs tasks one at a time, in call order, even if earlier tasks fail. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Creates a serial queue. An account's transactions must be prepared one at a time: two transactions prepared
 * concurrently would have the same nonce, and one would replace the other.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
}
