import type { Bus } from '../ports/bus.ts'

/**
 * Creates a bus for one process. Payloads are strings, so handlers share no references. As with a networked bus,
 * handlers run asynchronously, in publication order.
 *
 * @param onError receives errors thrown by handlers. The remaining handlers still run.
 */
export function createInProcessBus({ onError }: { onError: (error: unknown) => void }): Bus {
  type Handler = (payload: string) => void
  const handlers = new Map<string, Set<Handler>>()
  const waiting: { subject: string; payload: string }[] = []
  let draining: Promise<void> | null = null
  let closed = false

  const deliver = () => {
    // Handlers may publish; the same loop delivers those payloads from `waiting`.
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
