import type { Clock, PublicRfqId, RFQBroadcast } from '@firmquote/core'

const longestMemory = 1_000

/**
 * Decides which RFQs a backer receives: each once per connection, and again on a later connection only if the backer has
 * not answered it, that is, no quote and no decline for it was handed to a socket.
 */
export class RfqDelivery {
  readonly #clock: Clock
  readonly #deliver: (rfq: RFQBroadcast) => void
  readonly #answered = new Set<string>()
  #delivered = new Set<string>()
  #held: RFQBroadcast[] | null = null
  #cancelRelease = () => {}

  constructor(clock: Clock, show: (rfq: RFQBroadcast) => void) {
    this.#clock = clock
    this.#deliver = show
  }

  /**
   * A connection is authenticated. The RFQs that are open already are delivered on the next turn of the event loop, when a
   * caller that awaits `connect()` has the client to answer with.
   */
  connected(open: readonly RFQBroadcast[]): void {
    this.disconnected()
    this.#held = [...open]
    this.#cancelRelease = this.#clock.after(0, () => {
      const held = this.#held ?? []
      this.#held = null
      for (const rfq of held) this.receive(rfq)
    })
  }

  /** The connection has ended. */
  disconnected(): void {
    this.#cancelRelease()
    this.#held = null
    this.#delivered = new Set()
  }

  receive(rfq: RFQBroadcast): void {
    if (this.#held) {
      this.#held.push(rfq)
      return
    }
    if (this.#delivered.has(rfq.rfqId) || this.#answered.has(rfq.rfqId)) return
    remember(this.#delivered, rfq.rfqId)
    this.#deliver(rfq)
  }

  answered(rfqId: PublicRfqId): void {
    remember(this.#answered, rfqId)
  }

  closed(rfqId: PublicRfqId): void {
    this.#answered.delete(rfqId)
    this.#delivered.delete(rfqId)
    this.#held = this.#held?.filter((rfq) => rfq.rfqId !== rfqId) ?? null
  }
}

/** Keeps the newest, since a service that never closes its auctions must not fill the memory. */
function remember(set: Set<string>, rfqId: PublicRfqId): void {
  set.add(rfqId)
  if (set.size > longestMemory) for (const oldest of set) return void set.delete(oldest)
}
