import type { Recovery, SignatureFault } from '@firmquote/core'
import type { Hex } from 'viem'

// Requests pass through shared memory, because one message and one wake-up per quote would take the caller longer than
// computing the digest. Tickets number requests in order of arrival; a ticket's low bits select the slot for the
// request and its answer. Tickets wrap at 32 bits and are only compared for equality.

/** A ring of slots, and the words used to coordinate the threads. */
export type RecoveryRing = { memory: SharedArrayBuffer; slots: number }

// Layout of the words: the ticket of the next request, the ticket that a thread claims next, whether the caller has
// been notified of answers, and the slot that each thread is processing.
const submitted = 0
const claimed = 1
const notified = 2
const inProgress = 3
const none = -1

// Slot layout: digest, signature, answer, signer.
const signatureAt = 32
const answerAt = signatureAt + 65
const signerAt = answerAt + 1
const slotBytes = 128

const pending = 0
const signed = 1
const firstFault = 2
const faults: readonly SignatureFault[] = ['not_65_bytes', 'v_not_27_or_28', 'high_s', 'unrecoverable']

/** Creates a ring for `requests` concurrent requests and `threads` recovery threads. */
export function createRecoveryRing(requests: number, threads: number): RecoveryRing {
  const slots = 2 ** Math.ceil(Math.log2(requests))
  const memory = new SharedArrayBuffer(slots * slotBytes + (inProgress + threads) * Int32Array.BYTES_PER_ELEMENT)
  wordsOf({ memory, slots }).fill(none, inProgress)
  return { memory, slots }
}

/** Creates the caller's end. The caller must not submit more requests than the ring has slots. */
export function createRequestEnd(ring: RecoveryRing) {
  const words = wordsOf(ring)
  const bytes = Buffer.from(ring.memory)
  let ticket = 0

  return {
    /** Submits a request. Returns the request's slot, or undefined if the signature is not 65 bytes of hex. */
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
    /** Must be called before reading answers, so that later answers trigger another notification. */
    listen() {
      Atomics.store(words, notified, 0)
    },
    /** A slot's answer, if any. The signer's address is in lower case. */
    answerIn(slot: number): Recovery | undefined {
      const at = slot * slotBytes
      const answer = Atomics.load(bytes, at + answerAt)
      if (answer === pending) return undefined
      const fault = faults[answer - firstFault]
      return fault ? { fault } : { signer: `0x${bytes.toString('hex', at + signerAt, at + signerAt + 20)}` }
    },
    /** Answers a dead thread's slot with `unrecoverable`. @returns the slot, if the thread had one. */
    giveUp(thread: number): number | undefined {
      const slot = Atomics.exchange(words, inProgress + thread, none)
      if (slot === none) return undefined
      Atomics.store(bytes, slot * slotBytes + answerAt, firstFault + faults.indexOf('unrecoverable'))
      return slot
    },
  }
}

/** Creates a recovery thread's end. */
export function createResponseEnd(ring: RecoveryRing, thread: number) {
  const words = wordsOf(ring)
  const bytes = new Uint8Array(ring.memory)

  return {
    /** Claims the next request. Sleeps until there is one. */
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
    /** Answers the request that this thread claimed last. */
    answer(recovered: Uint8Array | SignatureFault) {
      const at = Atomics.load(words, inProgress + thread) * slotBytes
      if (typeof recovered !== 'string') bytes.set(recovered, at + signerAt)
      const answer = typeof recovered === 'string' ? firstFault + faults.indexOf(recovered) : signed
      Atomics.store(bytes, at + answerAt, answer)
      Atomics.store(words, inProgress + thread, none)
    },
    /** Number of unclaimed requests. */
    waiting: () => (Atomics.load(words, submitted) - Atomics.load(words, claimed)) | 0,
    /** Marks the caller as notified. Returns false if it has not called `listen` since the last notification. */
    mustNotify: () => Atomics.exchange(words, notified, 1) === 0,
  }
}

function wordsOf({ memory, slots }: RecoveryRing): Int32Array<SharedArrayBuffer> {
  return new Int32Array(memory, slots * slotBytes)
}
