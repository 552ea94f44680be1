import type { CallGuard } from '../http/callGuard.ts'

type Pending<T> = { resolve(value: T): void; reject(error: Error): void; end(): void }

/** Pending replies, keyed by id. */
export class PendingReplies<T> {
  readonly #pending = new Map<string, Pending<T>>()
  #count = 0

  /** Returns a new id. */
  nextId(): string {
    return `${++this.#count}`
  }

  /** Waits for a sent message's reply, or until the guard ends the call. */
  wait(id: string, guard: CallGuard): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () => this.fail(id, guard.failure('maybe') as Error)
      guard.signal.addEventListener('abort', onAbort, { once: true })
      const end = () => {
        guard.signal.removeEventListener('abort', onAbort)
        this.#pending.delete(id)
      }
      this.#pending.set(id, { resolve, reject, end })
      if (guard.signal.aborted) onAbort()
    })
  }

  /** Resolves a pending request. @returns Whether it was pending. */
  settle(id: string | undefined, value: T): boolean {
    return this.#end(id, (pending) => pending.resolve(value))
  }

  /** Rejects a pending request. @returns Whether it was pending. */
  fail(id: string | undefined, error: Error): boolean {
    return this.#end(id, (pending) => pending.reject(error))
  }

  /** Resolves all pending requests. */
  settleAll(value: T): void {
    for (const id of [...this.#pending.keys()]) this.settle(id, value)
  }

  /** Rejects all pending requests. */
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
