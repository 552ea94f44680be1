// Why: docs/decisions/0047-core-nats-for-hints.md
import type { QuoteDomain } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import type { Bus } from '../../ports/bus.ts'
import type { HintDrop, Metrics } from '../../ports/metrics.ts'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { createInProcessBus } from '../inProcessBus.ts'
import { parseNatsAddress } from './natsAddress.ts'
import { keepConnected } from './natsLink.ts'
import { type Hint, packHints, unpackHints } from './packHints.ts'
import { createSealedFrames, frameOverheadBytes, maxFrameBytes } from './sealedFrames.ts'

/** Options of {@link createNatsBus}. */
export type NatsBusOptions = {
  /** The address parsed by {@link parseNatsAddress}. The address may contain a password and is never logged. */
  url: string
  /** A 32-byte key shared by all instances of one database. */
  key: Uint8Array
  /** The market to which the messages belong. */
  domain: QuoteDomain
  /** Receives errors thrown by handlers. The remaining handlers still run. */
  onError: (error: unknown) => void
  log: Pick<Logger, 'info' | 'warn'>
  clock: Clock
  /** Returns cryptographically secure random bytes. */
  random: (bytes: number) => Uint8Array
  observe?: Pick<Metrics, 'hintsDropped' | 'busConnected'>
}

/** Maximum time to wait for NATS at startup, in milliseconds. */
const startMs = 1_000
/** Minimum interval between warnings about dropped messages, in milliseconds. */
const logEveryMs = 60_000

/**
 * Creates a bus between instances over NATS. An instance always receives its own messages through an in-process bus.
 * Delivery to other instances is best effort: messages are neither stored nor retried, because the database holds the
 * state. All messages published in one tick are sent in one sealed frame.
 *
 * Resolves once NATS is connected, or after one second. If NATS is not connected by then, the bus keeps trying to
 * connect in the background.
 *
 * @throws {ConfigurationError} if the address is invalid.
 */
export async function createNatsBus(options: NatsBusOptions): Promise<Bus & { connected(): boolean }> {
  const { url, key, domain, onError, log, clock, random, observe } = options
  const local = createInProcessBus({ onError })
  const frames = createSealedFrames({ key, domain, random })
  let waiting: Hint[] = []
  let closed = false

  /** Limits a warning to one every `logEveryMs` milliseconds, because clients can trigger it at any rate. */
  const createQuietWarning = () => {
    let quietUntil = Number.NEGATIVE_INFINITY
    return (facts: () => Record<string, unknown>, message: string) => {
      const now = clock.monotonic()
      if (closed || now < quietUntil) return
      quietUntil = now + logEveryMs
      log.warn(facts(), message)
    }
  }

  const dropped = new Map<HintDrop, number>()
  const warnOfDrops = createQuietWarning()
  const drop = (reason: HintDrop, count: number) => {
    observe?.hintsDropped(reason, count)
    // The lost connection has already been logged.
    if (reason === 'disconnected') return
    dropped.set(reason, (dropped.get(reason) ?? 0) + count)
    warnOfDrops(() => {
      const facts = { dropped: Object.fromEntries(dropped) }
      dropped.clear()
      return facts
    }, 'dropped messages between instances')
  }

  const warnOfRefusal = createQuietWarning()
  const link = keepConnected({
    address: parseNatsAddress(url),
    subject: frames.subject,
    clock,
    random,
    onMessage(frame) {
      const opened = frames.open(frame, clock.now())
      if (!opened.ok) return drop(opened.reason, 1)
      const hints = unpackHints(opened.text)
      if (!hints) return drop('unknown_version', 1)
      for (const { subject, payload } of hints) local.publish(subject, payload)
    },
    onChange(isConnected) {
      observe?.busConnected(isConnected)
      if (closed) return
      if (isConnected) log.info({}, 'connected to NATS')
      else log.warn({}, 'lost connection to NATS; instances poll the database until it is restored')
    },
    onRefused: (reason) => warnOfRefusal(() => ({ reason }), 'NATS refused an operation of this instance'),
  })

  const send = () => {
    const hints = waiting
    waiting = []
    if (!link.connected()) return drop('disconnected', hints.length)
    const most = Math.min(link.maxBytes(), maxFrameBytes) - frameOverheadBytes
    const { texts, tooLong } = packHints(hints, most)
    if (tooLong.length > 0) drop('oversized', tooLong.length)
    for (const { text, count } of texts) {
      const bytes = Buffer.byteLength(text) + frameOverheadBytes
      const outcome = link.send(bytes, () => frames.seal(text, clock.now()))
      if (outcome !== 'sent') drop(outcome, count)
    }
  }
  const sending = createSlicedTask(send)

  observe?.busConnected(false)
  await link.firstConnected(startMs)
  if (!link.connected()) {
    log.warn({}, 'failed to connect to NATS; will retry, and instances poll the database until then')
  }

  return {
    connected: link.connected,
    publish(subject, payload) {
      if (closed) return
      local.publish(subject, payload)
      if (!link.connected()) return drop('disconnected', 1)
      waiting.push({ subject, payload })
      sending.schedule()
    },
    subscribe: local.subscribe,
    async close() {
      if (!closed) send()
      closed = true
      await local.close()
      await link.close()
    },
  }
}
