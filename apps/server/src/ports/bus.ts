/**
 * Passes messages between the parts of the service. A payload is JSON and arrives as a copy: an in-process adapter must
 * not pass references, because a networked one cannot. An instance receives its own messages in order and exactly once.
 * Messages from other instances may be lost or arrive late.
 */
export type Bus = {
  publish(subject: string, payload: string): void
  /** Returns a function that unsubscribes. */
  subscribe(subject: string, handler: (payload: string) => void): () => void
  /** Delivers the messages already published, then stops. */
  close(): Promise<void>
}
