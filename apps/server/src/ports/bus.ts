/**
 * Messages between the parts of the service. A payload is JSON and arrives as a copy: an in-process adapter must not
 * pass on references where a networked one would copy. An instance receives its own messages once and in order.
 * Messages of other instances may be lost or late.
 */
export type Bus = {
  publish(subject: string, payload: string): void
  /** Returns a function that ends the subscription. */
  subscribe(subject: string, handler: (payload: string) => void): () => void
  /** Delivers published messages, then stops. */
  close(): Promise<void>
}
