/** Runs work in the order of the calls, one at a time, whether earlier work succeeds or fails. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Creates a serial queue. Transactions of one account are prepared in it: if two were prepared at the same time, they would get
 * the same nonce, and one would replace the other.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
}
