import type { Address } from 'viem'

/**
 * Which backers are connected, over all instances that share it. An instance that is gone for some seconds counts no more.
 */
export type Presence = {
  /**
   * Counts a socket of a backer; null when it has as many as allowed already, on all instances together. The returned function
   * ends the count, once.
   *
   * @throws {StorageUnavailableError} where it cannot be counted.
   */
  enter(backer: Address): Promise<(() => void) | null>
  /** Counts a session of a backer, which is told of RFQs. The returned function ends the count, once. */
  join(backer: Address): () => void
  /** How many distinct backers have sessions: here as of now, elsewhere as of about a second ago. */
  countBackers(): number
}
