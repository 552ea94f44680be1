/**
 * Messages between the parts of the service. A payload is JSON and arrives as a copy: an adapter inside one process
 * must not hand on references where a networked one would copy.
 */
export type Bus = {
  publish(subject: string, payload: string): void
  /** The answer ends the subscription. */
  subscribe(subject: string, handler: (payload: string) => void): () => void
  /** Delivers what was published, then stops. */
  close(): Promise<void>
}
