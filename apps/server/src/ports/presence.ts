import type { Address } from 'viem'

/**
 * The backers connected to the instances that share this presence. Backers on an instance that has been inactive for a
 * few seconds are not counted.
 */
export type Presence = {
  /**
   * Counts a backer's socket. Returns null if the backer already has the maximum number of sockets across all
   * instances. Otherwise returns an idempotent function that stops counting the socket.
   *
   * @throws {StorageUnavailableError} if the socket cannot be counted.
   */
  enter(backer: Address): Promise<(() => void) | null>
  /**
   * Counts a session that receives RFQs. Returns an idempotent function that stops counting the session.
   */
  join(backer: Address): () => void
  /**
   * The number of distinct backers with sessions. Current for this instance, and up to about a second old for others.
   */
  countBackers(): number
  /**
   * Lists the backers with their sockets on all instances.
   *
   * @throws {StorageUnavailableError} if the sockets cannot be read.
   */
  listSockets(): Promise<{ backer: Address; sockets: number }[]>
}
