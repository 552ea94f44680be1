import type { QuoteStatusMessage, ResumedMessage } from '@firmquote/core'

/** What was missed has been handed out. */
export type RFQWebSocketResumed = {
  /** The number of the last status; 0 for none. */
  seq: number
  /**
   * False when something is missing that the service no longer has, or when its numbers have gone back, as after a restored
   * backup. Where each quote stands has to be read then.
   */
  complete: boolean
}

/** What the delivery needs of the channel. */
export type StatusDeliveryListener = {
  /** Asks for all that came after a number; `resumed` follows, unless the connection ends. */
  ask(seq: number): void
  deliver(status: QuoteStatusMessage): void
  resumed(resumed: RFQWebSocketResumed): void
}

/**
 * Hands out the statuses of a maker in the order of their numbers, each once. What comes behind a gap is left to the resume,
 * which brings it again after what was missed.
 */
export class StatusDelivery {
  readonly #listener: StatusDeliveryListener
  /** The last number that was handed out; null until one is known. */
  #last: number | null
  /** What a resume that is under way has asked for. */
  #asked: number | null = null
  /** The lowest number behind the gap. */
  #behind: number | null = null
  #complete = true

  constructor(resumeFrom: number | null, listener: StatusDeliveryListener) {
    this.#last = resumeFrom
    this.#listener = listener
  }

  /** A connection is authenticated. Services before this version do not tell their newest number. */
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

  /** A resume that was asked for could not be answered. */
  retry(): void {
    if (this.#asked !== null) this.#ask()
  }

  resumed({ seq }: Pick<ResumedMessage, 'seq'>): void {
    const last = this.#last ?? seq
    if (this.#asked === null) return
    if (last !== seq && last === this.#asked) {
      // What is missing cannot be had.
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
