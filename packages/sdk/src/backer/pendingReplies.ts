import type { Clock } from '@firmquote/core'
import { AbortedError, TimeoutError } from '../errors.ts'
import type { CallOptions } from '../http/callGuard.ts'

type Pending<T> = { resolve(value: T): void; reject(error: Error): void; end(): void }

/** Messages that were sent and still wait for the answer with their id. */
export class PendingReplies<T> {
  readonly #clock: Clock
  readonly #pending = new Map<string, Pending<T>>()
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A fresh id. */
  nextId(): string {
    return `${++this.#count}`
  }

  /** Waits for the answer to a message that has just been sent. */
  wait(id: string, { signal, timeoutMs }: CallOptions & { timeoutMs: number }): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () => this.fail(id, new AbortedError({ sent: 'maybe', cause: signal?.reason }))
      const cancel = this.#clock.after(timeoutMs, () =>
        this.fail(id, new TimeoutError(`No answer within ${timeoutMs} ms.`, { sent: 'maybe', timeoutMs })),
      )
      signal?.addEventListener('abort', onAbort, { once: true })
      const end = () => {
        cancel()
        signal?.removeEventListener('abort', onAbort)
        this.#pending.delete(id)
      }
      this.#pending.set(id, { resolve, reject, end })
      if (signal?.aborted) onAbort()
    })
  }

  /** Gives an answer to whoever waits for it. @returns whether somebody did. */
  settle(id: string | undefined, value: T): boolean {
    return this.#end(id, (pending) => pending.resolve(value))
  }

  /** Gives up on one. @returns whether somebody waited. */
  fail(id: string | undefined, error: Error): boolean {
    return this.#end(id, (pending) => pending.reject(error))
  }

  /** Gives up on all. */
  failAll(createError: () => Error): void {
    for (const id of [...this.#pending.keys()]) this.fail(id, createError())
  }

  #end(id: string | undefined, how: (pending: Pending<T>) => void): boolean {
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (!pending) return false
    pending.end()
    how(pending)
    return true
  }
}
