import type { PublicRfqId, RFQBroadcast } from '@firmquote/core'
import type { Clock } from '../clock.ts'

const longestMemory = 1_000

/**
 * Decides which RFQs a backer is shown. Each comes once in a line's life; a later line shows it again only if the
 * backer has not answered it, that is, no quote and no decline for it was handed to a socket.
 */
export class RfqInbox {
  readonly #clock: Clock
  readonly #show: (rfq: RFQBroadcast) => void
  readonly #answered = new Set<string>()
  #shown = new Set<string>()
  #held: RFQBroadcast[] | null = null
  #cancelRelease = () => {}

  constructor(clock: Clock, show: (rfq: RFQBroadcast) => void) {
    this.#clock = clock
    this.#show = show
  }

  /**
   * A new line is there. What is open already is shown on the next turn of the event loop: by then whoever awaits
   * `connect()` holds the client that it wants to answer with.
   */
  begin(open: readonly RFQBroadcast[]): void {
    this.end()
    this.#held = [...open]
    this.#cancelRelease = this.#clock.after(0, () => {
      const held = this.#held ?? []
      this.#held = null
      for (const rfq of held) this.receive(rfq)
    })
  }

  /** The line is gone. */
  end(): void {
    this.#cancelRelease()
    this.#held = null
    this.#shown = new Set()
  }

  receive(rfq: RFQBroadcast): void {
    if (this.#held) {
      this.#held.push(rfq)
      return
    }
    if (this.#shown.has(rfq.rfqId) || this.#answered.has(rfq.rfqId)) return
    remember(this.#shown, rfq.rfqId)
    this.#show(rfq)
  }

  answered(rfqId: PublicRfqId): void {
    remember(this.#answered, rfqId)
  }

  closed(rfqId: PublicRfqId): void {
    this.#answered.delete(rfqId)
    this.#shown.delete(rfqId)
    this.#held = this.#held?.filter((rfq) => rfq.rfqId !== rfqId) ?? null
  }
}

/** Keeps the newest: a service that never closes its auctions must not fill the memory. */
function remember(set: Set<string>, rfqId: PublicRfqId): void {
  set.add(rfqId)
  if (set.size > longestMemory) for (const oldest of set) return void set.delete(oldest)
}
