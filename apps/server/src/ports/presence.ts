import type { Address } from 'viem'

/**
 * The backers connected to any of the instances that share this presence. An instance that gives no sign of life for a
 * few seconds is no longer counted.
 */
export type Presence = {
  /**
   * Counts a backer's socket. Returns null if the backer already has the maximum number of sockets across all
   * instances. Otherwise returns a function that stops counting the socket; further calls do nothing.
   *
   * @throws {StorageUnavailableError} if the socket cannot be counted.
   */
  enter(backer: Address): Promise<(() => void) | null>
  /** Counts a session that receives RFQs. Returns a function that stops counting it; further calls do nothing. */
  join(backer: Address): () => void
  /**
   * The number of distinct backers with sessions. Current for this instance, and up to about a second old for others.
   */
  countBackers(): number
}
