import type { PublicRfqId, RFQBroadcast } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'

const maxMemory = 1_000

/**
 * Delivers each RFQ to a backer once per connection. A later connection delivers an RFQ again only if the backer has
 * neither quoted nor declined it.
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
   * Called on authentication. Delivers open RFQs in the next event loop iteration, so that a caller that awaits
   * `connect()` can answer them.
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

  /** Called when the connection ends. */
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

/** Remembers an id. Evicts the oldest id when the set is full, in case a service never closes its auctions. */
function remember(set: Set<string>, rfqId: PublicRfqId): void {
  set.add(rfqId)
  if (set.size > maxMemory) for (const oldest of set) return void set.delete(oldest)
}
