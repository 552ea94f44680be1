/**
 * Passes messages between the parts of the service. A payload is JSON and arrives as a copy: even an in-process adapter
 * must not pass references, because a networked one would copy. An instance receives its own messages in order and
 * exactly once. Messages from other instances may be lost or arrive late.
 */
export type Bus = {
  publish(subject: string, payload: string): void
  /** Returns a function that ends the subscription. */
  subscribe(subject: string, handler: (payload: string) => void): () => void
  /** Delivers the messages published so far, then stops. */
  close(): Promise<void>
}
