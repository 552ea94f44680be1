import type { Recovery, SignatureFault } from '@firmquote/core'
import type { Hex } from 'viem'

// What crosses between the threads lies in memory that they share: a message for each quote, and a wake-up for it,
// would cost the asking thread more than the digest does. A ticket is a place in the order of arrival, and the slot that it
// has is where it was asked and is answered. Tickets wrap at 32 bits, and are only ever compared for equality.

/** Slots that go round, and the words by which the threads agree on which works on which. */
export type RecoveryRing = { memory: SharedArrayBuffer; slots: number }

// Words: the ticket of the next request, the ticket that a thread takes next, whether the asking thread has been notified of
// answers, and from there on the slot that each thread works on.
const submitted = 0
const claimed = 1
const notified = 2
const inProgress = 3
const none = -1

// A slot: digest, signature, answer, signer.
const signatureAt = 32
const answerAt = signatureAt + 65
const signerAt = answerAt + 1
const slotBytes = 128

const pending = 0
const signed = 1
const firstFault = 2
const faults: readonly SignatureFault[] = ['not_65_bytes', 'v_not_27_or_28', 'high_s', 'unrecoverable']

/** Creates the ring that so many requests at a time, and so many recovering threads, have room in. */
export function createRecoveryRing(requests: number, threads: number): RecoveryRing {
  const slots = 2 ** Math.ceil(Math.log2(requests))
  const memory = new SharedArrayBuffer(slots * slotBytes + (inProgress + threads) * Int32Array.BYTES_PER_ELEMENT)
  wordsOf({ memory, slots }).fill(none, inProgress)
  return { memory, slots }
}

/** The end of the thread that asks. It must not ask for more than the ring has room for. */
export function createRequestEnd(ring: RecoveryRing) {
  const words = wordsOf(ring)
  const bytes = Buffer.from(ring.memory)
  let ticket = 0

  return {
    /** Asks who signed; the answer is the slot, or nothing where the signature is not 65 bytes of hex. */
    ask(digest: Hex, signature: Hex): number | undefined {
      const slot = ticket & (ring.slots - 1)
      const at = slot * slotBytes
      if (signature.length !== 132 || !signature.startsWith('0x')) return undefined
      if (bytes.write(signature.slice(2), at + signatureAt, 'hex') !== 65) return undefined
      bytes.write(digest.slice(2), at, 'hex')
      bytes[at + answerAt] = pending
      ticket = (ticket + 1) | 0
      Atomics.store(words, submitted, ticket)
      Atomics.notify(words, submitted, 1)
      return slot
    },
    /** To be called before answers are read: a thread that writes one from now on notifies this one again. */
    listen() {
      Atomics.store(words, notified, 0)
    },
    /** The answer in a slot, if it is there yet; a signer's address is lower-case. */
    answerIn(slot: number): Recovery | undefined {
      const at = slot * slotBytes
      const answer = Atomics.load(bytes, at + answerAt)
      if (answer === pending) return undefined
      const fault = faults[answer - firstFault]
      return fault ? { fault } : { signer: `0x${bytes.toString('hex', at + signerAt, at + signerAt + 20)}` }
    },
    /** Marks the slot that a thread worked on when it ended as answered. @returns the slot, if there was one. */
    giveUp(thread: number): number | undefined {
      const slot = Atomics.exchange(words, inProgress + thread, none)
      if (slot === none) return undefined
      Atomics.store(bytes, slot * slotBytes + answerAt, firstFault + faults.indexOf('unrecoverable'))
      return slot
    },
  }
}

/** The end of one recovering thread. */
export function createResponseEnd(ring: RecoveryRing, thread: number) {
  const words = wordsOf(ring)
  const bytes = new Uint8Array(ring.memory)

  return {
    /** Takes the next request that no thread works on; sleeps until there is one. */
    take(): { digest: Uint8Array; signature: Uint8Array } {
      for (;;) {
        const [next, end] = [Atomics.load(words, claimed), Atomics.load(words, submitted)]
        if (next === end) Atomics.wait(words, submitted, end)
        else if (Atomics.compareExchange(words, claimed, next, (next + 1) | 0) === next) {
          const slot = next & (ring.slots - 1)
          Atomics.store(words, inProgress + thread, slot)
          const at = slot * slotBytes
          return {
            digest: bytes.subarray(at, at + signatureAt),
            signature: bytes.subarray(at + signatureAt, at + answerAt),
          }
        }
      }
    },
    /** Answers what was taken last. */
    answer(recovered: Uint8Array | SignatureFault) {
      const at = Atomics.load(words, inProgress + thread) * slotBytes
      if (typeof recovered !== 'string') bytes.set(recovered, at + signerAt)
      const answer = typeof recovered === 'string' ? firstFault + faults.indexOf(recovered) : signed
      Atomics.store(bytes, at + answerAt, answer)
      Atomics.store(words, inProgress + thread, none)
    },
    /** How many requests no thread works on yet. */
    waiting: () => (Atomics.load(words, submitted) - Atomics.load(words, claimed)) | 0,
    /** Whether the asking thread must be notified that there are answers: not if it has been and has not listened yet. */
    mustNotify: () => Atomics.exchange(words, notified, 1) === 0,
  }
}

function wordsOf({ memory, slots }: RecoveryRing): Int32Array<SharedArrayBuffer> {
  return new Int32Array(memory, slots * slotBytes)
}
