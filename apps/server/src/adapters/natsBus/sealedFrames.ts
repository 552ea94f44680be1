// Why: docs/decisions/0047-core-nats-for-hints.md
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { QuoteDomain } from '@firmquote/core'
import type { HintDrop } from '../../ports/metrics.ts'

/** Encrypted and authenticated frames, which cannot be read or written without the key. */
export type SealedFrames = {
  /** This deployment's subject, derived from the market and the database's key. */
  subject: string
  /** Encrypts a text. `now` is the sending time, in Unix milliseconds. */
  seal(text: string, now: number): Buffer
  /** Decrypts a frame received at `now`, or returns why it was rejected. */
  open(frame: Uint8Array, now: number): { ok: true; text: string } | { ok: false; reason: HintDrop }
}

/** Maximum difference between the sender's and receiver's clocks, in milliseconds. */
const lifetimeMs = 30_000
/** Maximum frame size in bytes: NATS's default `max_payload`. */
export const maxFrameBytes = 1_048_576

// version | sender | counter | sealed(sent at | text) | tag
const version = 1
const senderBytes = 16
const counterBytes = 6
const headBytes = 1 + senderBytes + counterBytes
const sentAtBytes = 8
const tagBytes = 16
/** Number of bytes that a frame adds to its text. */
export const frameOverheadBytes = headBytes + sentAtBytes + tagBytes

/** A process that sends frames. The receiver remembers a sender for as long as one of its frames could be replayed. */
type Sender = { key: KeyObject; counter: number; latest: number }

/**
 * Creates frames sealed with AES-256-GCM. Each process derives its own key from a random ID and uses its frame counter
 * as the nonce, so no nonce is used twice with the same key. A frame whose counter does not exceed its sender's last
 * counter is replayed or out of order, and is rejected without any cryptographic operation. Any other frame costs at
 * most one key derivation and one decryption.
 *
 * @param key 32 bytes, the same for all instances.
 * @param random returns cryptographically secure random bytes.
 */
export function createSealedFrames({
  key,
  domain,
  random,
}: {
  key: Uint8Array
  domain: QuoteDomain
  random: (bytes: number) => Uint8Array
}): SealedFrames {
  if (key.length !== 32) throw new TypeError('The bus key must be 32 bytes long.')
  // If the key were raw bytes, OpenSSL would look up the algorithm on every call, which costs more than the derivation.
  const shared = createSecretKey(key)
  const derive = (salt: Uint8Array, purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `firmquote bus ${version} ${purpose}`, bytes))
  const keyOf = (sender: Uint8Array) => createSecretKey(derive(sender, 'sender', 32))
  const deployment = derive(new Uint8Array(), 'subject', 8).toString('hex')
  const subject = `firmquote.${domain.chainId}.${domain.quoteMarket.toLowerCase()}.${deployment}`
  const boundTo = Buffer.from(`${version} ${subject}`)

  const self = Buffer.from(random(senderBytes))
  const own: Sender = { key: keyOf(self), counter: 0, latest: 0 }
  const senders = new Map<string, Sender>()

  const forget = (now: number) => {
    // Removes senders whose frames have all expired.
    for (const [id, { latest }] of senders) if (now - latest > lifetimeMs) senders.delete(id)
  }

  return {
    subject,

    seal(text, now) {
      own.counter += 1
      const head = Buffer.alloc(headBytes)
      head.writeUInt8(version)
      self.copy(head, 1)
      head.writeUIntBE(own.counter, 1 + senderBytes, counterBytes)
      const sentAt = Buffer.alloc(sentAtBytes)
      sentAt.writeDoubleBE(now)
      const cipher = createCipheriv('aes-256-gcm', own.key, nonceOf(own.counter), { authTagLength: tagBytes })
      cipher.setAAD(boundTo)
      return Buffer.concat([head, cipher.update(sentAt), cipher.update(text), cipher.final(), cipher.getAuthTag()])
    },

    open(given, now) {
      if (given.length > maxFrameBytes) return { ok: false, reason: 'oversized' }
      const frame = Buffer.from(given.buffer, given.byteOffset, given.length)
      if (frame.length < frameOverheadBytes) return { ok: false, reason: 'forged' }
      if (frame[0] !== version) return { ok: false, reason: 'unknown_version' }
      const from = frame.subarray(1, 1 + senderBytes)
      // NATS does not echo messages to their sender, but after a reconnect, a client may receive messages that it sent
      // earlier.
      if (from.equals(self)) return { ok: false, reason: 'replayed' }
      const id = from.toString('hex')
      const counter = frame.readUIntBE(1 + senderBytes, counterBytes)
      const known = senders.get(id)
      if (known && counter <= known.counter) return { ok: false, reason: 'replayed' }
      const sender = known ?? { key: keyOf(from), counter: 0, latest: 0 }
      const opened = unseal(sender.key, counter, boundTo, frame.subarray(headBytes))
      if (!opened) return { ok: false, reason: 'forged' }
      const sentAt = opened.readDoubleBE()
      if (!(Math.abs(now - sentAt) <= lifetimeMs)) return { ok: false, reason: 'untimely' }
      sender.counter = counter
      sender.latest = Math.max(sender.latest, sentAt)
      if (!known) {
        forget(now)
        senders.set(id, sender)
      }
      return { ok: true, text: opened.toString('utf8', sentAtBytes) }
    },
  }
}

function nonceOf(counter: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(counter, 12 - counterBytes, counterBytes)
  return nonce
}

function unseal(key: KeyObject, counter: number, boundTo: Buffer, sealed: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(counter), { authTagLength: tagBytes })
  decipher.setAAD(boundTo)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    decipher.final()
    return opened
  } catch {
    return null
  }
}
