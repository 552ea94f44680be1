import type { Address } from 'viem'

/**
 * The connected backers of all instances that share it. An instance that has been gone for some seconds no longer
 * counts.
 */
export type Presence = {
  /**
   * Counts a socket of a backer; null when the backer has the maximum on all instances together. The returned function
   * ends the count; further calls do nothing.
   *
   * @throws {StorageUnavailableError} when the socket cannot be counted.
   */
  enter(backer: Address): Promise<(() => void) | null>
  /** Counts a session that receives RFQs. The returned function ends the count; further calls do nothing. */
  join(backer: Address): () => void
  /** The number of distinct backers with sessions: current for this instance, up to about a second old for others. */
  countBackers(): number
}
