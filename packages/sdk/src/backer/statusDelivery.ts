import type { QuoteStatusMessage, ResumedMessage } from '@firmquote/core'

/** Reported after all missed updates are replayed. */
export type RFQWebSocketResumed = {
  /** The `seq` of the last update, or 0 if there is none. */
  seq: number
  /**
   * False if the service has pruned some updates or its sequence went backwards, for example after a backup was
   * restored. In that case, read each quote's current status.
   */
  complete: boolean
}

/** Callbacks for delivery. */
export type StatusDeliveryListener = {
  /** Requests a replay of updates after `seq`. A `resumed` message follows unless the connection ends. */
  ask(seq: number): void
  deliver(status: QuoteStatusMessage): void
  resumed(resumed: RFQWebSocketResumed): void
}

/**
 * Delivers each of a maker's status updates once, in `seq` order. Updates after a gap are dropped, because the replay
 * sends them again after the missing ones.
 */
export class StatusDelivery {
  readonly #listener: StatusDeliveryListener
  /** The last delivered `seq`, or null while unknown. */
  #last: number | null
  /** The `seq` of the pending resume request. */
  #asked: number | null = null
  /** The lowest `seq` that follows the gap. */
  #behind: number | null = null
  #complete = true

  constructor(resumeFrom: number | null, listener: StatusDeliveryListener) {
    this.#last = resumeFrom
    this.#listener = listener
  }

  /** Called on authentication. Older services do not report their newest `seq`. */
  connected(newest: number | undefined): void {
    this.#asked = null
    this.#last ??= newest ?? null
    if (newest !== undefined && newest !== this.#last) this.#ask()
  }

  receive(status: QuoteStatusMessage): void {
    const last = this.#last ?? status.seq - 1
    if (status.seq <= last) return
    if (status.seq === last + 1) {
      this.#last = status.seq
      this.#listener.deliver(status)
      return
    }
    this.#behind ??= status.seq
    if (this.#asked === null) this.#ask()
  }

  /** Called when the service fails to answer a resume request. */
  retry(): void {
    if (this.#asked !== null) this.#ask()
  }

  resumed({ seq }: Pick<ResumedMessage, 'seq'>): void {
    const last = this.#last ?? seq
    if (this.#asked === null) return
    if (last !== seq && last === this.#asked) {
      // The service no longer has the missing updates.
      this.#complete = false
      this.#last = seq < last ? seq : Math.min(seq, (this.#behind ?? seq + 1) - 1)
    }
    if (this.#last !== null && this.#last < seq) {
      this.#ask()
      return
    }
    this.#asked = null
    const complete = this.#complete
    this.#complete = true
    this.#listener.resumed({ seq: this.#last ?? seq, complete })
  }

  #ask(): void {
    this.#asked = this.#last ?? 0
    this.#behind = null
    this.#listener.ask(this.#asked)
  }
}
