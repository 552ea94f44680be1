/**
 * Messages between the parts of the service. A payload is JSON and arrives as a copy: an adapter inside one process
 * must not hand on references where a networked one would copy. Each instance hears its own messages once and in order; those of
 * others may be lost or late.
 */
export type Bus = {
  publish(subject: string, payload: string): void
  /** The answer ends the subscription. */
  subscribe(subject: string, handler: (payload: string) => void): () => void
  /** Delivers what was published, then stops. */
  close(): Promise<void>
}
