// Why: docs/decisions/0047-core-nats-for-hints.md
import type { Clock, QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Bus } from '../../ports/bus.ts'
import type { HintDrop, Metrics } from '../../ports/metrics.ts'
import { createSlicedTask } from '../../scheduling/slicedTask.ts'
import { createInProcessBus } from '../inProcessBus.ts'
import { parseNatsAddress } from './natsAddress.ts'
import { keepConnected } from './natsLink.ts'
import { type Hint, packHints, unpackHints } from './packHints.ts'
import { createSealedFrames, frameOverheadBytes, maxFrameBytes } from './sealedFrames.ts'

/** What a bus between instances needs. */
export type NatsBusOptions = {
  /** As {@link parseNatsAddress} reads it. It may hold a password, and is never logged. */
  url: string
  /** The 32 bytes that all instances of one database share. */
  key: Uint8Array
  /** Of which market the messages are. */
  domain: QuoteDomain
  /** Is given what a handler throws; the other handlers are not disturbed. */
  onError: (error: unknown) => void
  log: Pick<Logger, 'info' | 'warn'>
  clock: Clock
  /** Returns so many bytes from a cryptographic source. */
  random: (bytes: number) => Uint8Array
  observe?: Pick<Metrics, 'hintsDropped' | 'busConnected'>
}

/** A start waits so long for NATS, in milliseconds. */
const startMs = 1_000
/** What was dropped is logged once in so many milliseconds. */
const logEveryMs = 60_000

/**
 * A bus between instances, over NATS. What an instance publishes it hears itself as from a bus of one process, whatever NATS does;
 * others hear it if they can: nothing is kept for later, repeated or waited for, since everything true is in the database.
 * All that is published in one turn of the event loop travels in one sealed frame.
 *
 * Resolves when NATS is connected, or a second has passed without; then it connects later.
 *
 * @throws {ConfigurationError} when the address is none.
 */
export async function createNatsBus(options: NatsBusOptions): Promise<Bus & { connected(): boolean }> {
  const { url, key, domain, onError, log, clock, random, observe } = options
  const local = createInProcessBus({ onError })
  const frames = createSealedFrames({ key, domain, random })
  let waiting: Hint[] = []
  let closed = false

  /** Says something at most once in a while, since a stranger may cause it as often as it likes. */
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
    // That nothing is sent without a connection is said when it is lost.
    if (reason === 'disconnected') return
    dropped.set(reason, (dropped.get(reason) ?? 0) + count)
    warnOfDrops(() => {
      const facts = { dropped: Object.fromEntries(dropped) }
      dropped.clear()
      return facts
    }, 'messages between instances were dropped')
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
      else
        log.warn({}, 'the connection to NATS is lost; until it is back, instances see what others do within a second')
    },
    onRefused: (reason) => warnOfRefusal(() => ({ reason }), 'NATS does not allow what this instance needs'),
  })

  const send = () => {
    const hints = waiting
    waiting = []
    if (!link.connected()) return drop('disconnected', hints.length)
    const most = Math.min(link.mostBytes(), maxFrameBytes) - frameOverheadBytes
    const { texts, tooLong } = packHints(hints, most)
    if (tooLong.length > 0) drop('oversized', tooLong.length)
    for (const { text, count } of texts) {
      const bytes = Buffer.byteLength(text) + frameOverheadBytes
      const outcome = link.send(bytes, () => frames.seal(text, clock.now()))
      if (outcome !== 'sent') drop(outcome, count)
    }
  }
  const turn = createSlicedTask(send)

  observe?.busConnected(false)
  await link.firstConnected(startMs)
  if (!link.connected()) {
    log.warn(
      {},
      'NATS cannot be reached; it is tried again, and meanwhile instances see what others do within a second',
    )
  }

  return {
    connected: link.connected,
    publish(subject, payload) {
      if (closed) return
      local.publish(subject, payload)
      if (!link.connected()) return drop('disconnected', 1)
      waiting.push({ subject, payload })
      turn.schedule()
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
