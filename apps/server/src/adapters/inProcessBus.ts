import type { Bus } from '../ports/bus.ts'

/**
 * A bus for one process. Payloads are strings, so no reference is shared through it; handlers hear them after the
 * publisher has gone on, in the order of publishing, as a networked bus would have it.
 *
 * @param onError is given what a handler throws; the other handlers are not disturbed.
 */
export function createInProcessBus({ onError }: { onError: (error: unknown) => void }): Bus {
  type Handler = (payload: string) => void
  const handlers = new Map<string, Set<Handler>>()
  const waiting: { subject: string; payload: string }[] = []
  let draining: Promise<void> | null = null
  let closed = false

  const deliver = () => {
    // What a handler publishes meanwhile is delivered in the same sweep, after everything before it.
    for (const { subject, payload } of waiting) {
      for (const handler of [...(handlers.get(subject) ?? [])]) {
        try {
          handler(payload)
        } catch (error) {
          onError(error)
        }
      }
    }
    waiting.length = 0
    draining = null
  }

  return {
    publish(subject, payload) {
      if (closed) return
      waiting.push({ subject, payload })
      draining ??= Promise.resolve().then(deliver)
    },
    subscribe(subject, handler) {
      const own: Handler = (payload) => handler(payload)
      const all = handlers.get(subject) ?? new Set()
      handlers.set(subject, all.add(own))
      return () => {
        all.delete(own)
      }
    },
    async close() {
      await draining
      closed = true
      handlers.clear()
    },
  }
}
