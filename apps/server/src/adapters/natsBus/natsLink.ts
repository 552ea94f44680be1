import type { Clock } from '@firmquote/core'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { NatsAddress } from './natsAddress.ts'

/** A connection to NATS that reconnects after each loss. */
export type NatsLink = {
  connected(): boolean
  /** Maximum payload of the server, in bytes; 0 while disconnected. */
  maxBytes(): number
  /** Sends a payload of `bytes` bytes, or returns why it was dropped; `make` is called only if it is sent. Never waits and never queues. */
  send(bytes: number, make: () => Uint8Array): 'sent' | 'disconnected' | 'stalled'
  /** Resolves once connected, or after `limitMs` milliseconds. */
  firstConnected(limitMs: number): Promise<void>
  /** Closes the connection. Waits up to a second for the flush, and up to another second for a pending connection attempt. */
  close(): Promise<void>
}

/** A connection with its subscription. It becomes current with the first pong, which confirms the subscription. */
type Session = {
  client: NatsConnection
  /** Bytes sent since the last ping that was answered. */
  unconfirmed: number
  isPinging: boolean
}

/** Bounds of the random pause between two attempts, in milliseconds. Randomness spreads the reconnects of many instances. */
const pauseMs = { min: 250, max: 1_000 }
/** Timeout of a connection attempt, in milliseconds. */
const attemptMs = 2_000
/** Interval between pings, in milliseconds. A connection is closed if a ping is unanswered for three intervals without any incoming message. */
const pingIntervalMs = 1_000
const maxMissedPings = 3
/** Maximum number of unconfirmed bytes in flight. It bounds the memory that a stalled connection uses. */
const maxUnconfirmed = 4_194_304
const pingAtUnconfirmed = maxUnconfirmed / 16
const closeMs = 1_000

/**
 * Keeps a connection and one subscription. The client only retries the initial connect; this module detects losses. With its own reconnect, the
 * client would flush a stalled connection first, and would buffer new messages without a limit until they are stale.
 *
 * @param onMessage receives the messages of other instances on the subject; it must not throw.
 * @param onChange is called whenever the connection is established or lost.
 * @param onRefused receives each permission error and each failed connection attempt.
 */
export function keepConnected({
  address,
  subject,
  clock,
  random,
  onMessage,
  onChange,
  onRefused,
}: {
  address: NatsAddress
  subject: string
  clock: Clock
  random: (bytes: number) => Uint8Array
  onMessage: (payload: Uint8Array) => void
  onChange: (connected: boolean) => void
  onRefused: (reason: string) => void
}): NatsLink {
  let current: Session | null = null
  let stopped = false
  let endPause = () => {}
  const onFirst = new Set<() => void>()

  const drawPause = () => pauseMs.min + ((random(1)[0] ?? 0) / 255) * (pauseMs.max - pauseMs.min)

  const ping = (session: Session) => {
    session.isPinging = true
    const covered = session.unconfirmed
    session.client.flush().then(
      () => {
        session.unconfirmed -= covered
        session.isPinging = false
        if (current === session || session.client.isClosed()) return
        current = session
        onChange(true)
        for (const resolve of onFirst) resolve()
      },
      // `client.closed()` reports the end of the connection.
      () => {},
    )
  }

  /** Resolves when `work` settles, or after `milliseconds`. */
  const withTimeout = (milliseconds: number, work: Promise<void>) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(milliseconds, resolve)
      const end = () => {
        cancel()
        resolve()
      }
      work.then(end, end)
    })

  /** Reports permission errors. The server sends them as status events, and the connection stays open. */
  const readStatus = async (client: NatsConnection): Promise<void> => {
    for await (const status of client.status()) if (status.type === 'error') onRefused(status.error.message)
  }

  /** Serves a connection until it has ended. */
  const serve = async (client: NatsConnection): Promise<void> => {
    const session: Session = { client, unconfirmed: 0, isPinging: false }
    let hasReceived = false
    client.subscribe(subject, {
      callback: (error, message) => {
        hasReceived = true
        if (!error) onMessage(message.data)
      },
    })
    void readStatus(client)
    let missed = 0
    let cancelPing = () => {}
    const sendHeartbeat = () => {
      // Counts intervals instead of elapsed time, so that a paused process reads its input first. Messages count as signs of life, because a pong may
      // be queued behind many of them.
      missed = session.isPinging && !hasReceived ? missed + 1 : 0
      hasReceived = false
      if (missed === maxMissedPings) void client.close()
      else {
        if (!session.isPinging) ping(session)
        cancelPing = clock.after(pingIntervalMs, sendHeartbeat)
      }
    }
    sendHeartbeat()
    await client.closed()
    cancelPing()
    if (current !== session) return
    current = null
    onChange(false)
  }

  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        const client = await connect({
          ...address,
          name: 'firmquote',
          noEcho: true,
          reconnect: false,
          // Retries within one `connect` call close the socket of the previous attempt; a new call would leave it open.
          waitOnFirstConnect: true,
          reconnectDelayHandler: () => {
            if (stopped) throw new TypeError('The bus is closed.')
            return drawPause()
          },
          timeout: attemptMs,
          ignoreClusterUpdates: true,
          noAsyncTraces: true,
        })
        if (stopped) await client.close()
        else await serve(client)
      } catch (error) {
        if (!stopped) onRefused(error instanceof Error ? error.message : 'unknown')
      }
      if (stopped) return
      await new Promise<void>((resolve) => {
        const cancel = clock.after(drawPause(), resolve)
        endPause = () => {
          cancel()
          resolve()
        }
      })
    }
  }
  const ended = run()

  return {
    connected: () => current !== null,
    maxBytes: () => current?.client.info?.max_payload ?? 0,
    send(bytes, make) {
      if (!current) return 'disconnected'
      if (current.unconfirmed + bytes > maxUnconfirmed) return 'stalled'
      try {
        current.client.publish(subject, make())
      } catch {
        // The connection ended in this tick.
        return 'disconnected'
      }
      current.unconfirmed += bytes
      if (!current.isPinging && current.unconfirmed >= pingAtUnconfirmed) ping(current)
      return 'sent'
    },
    firstConnected: (limitMs) =>
      new Promise((resolve) => {
        if (current) return resolve()
        const end = () => {
          cancel()
          onFirst.delete(end)
          resolve()
        }
        const cancel = clock.after(limitMs, end)
        onFirst.add(end)
      }),
    async close() {
      stopped = true
      endPause()
      if (current) {
        const { client } = current
        await withTimeout(closeMs, client.flush())
        await client.close()
      }
      // A pending attempt ends with its timeout.
      await withTimeout(closeMs, ended)
    },
  }
}
