import type { Address } from 'viem'

/**
 * The backers connected to any of the instances that share this presence. Backers of an instance that shows no activity
 * for a few seconds are no longer counted.
 */
export type Presence = {
  /**
   * Counts a backer's socket. Returns null if the backer already has the maximum number of sockets across all
   * instances. Otherwise returns a function that stops counting the socket and has no effect when called again.
   *
   * @throws {StorageUnavailableError} if the socket cannot be counted.
   */
  enter(backer: Address): Promise<(() => void) | null>
  /**
   * Counts a session that receives RFQs. Returns a function that stops counting the session and has no effect when
   * called again.
   */
  join(backer: Address): () => void
  /**
   * The number of distinct backers with sessions. The number is current for this instance, and up to about a second old
   * for other instances.
   */
  countBackers(): number
}
