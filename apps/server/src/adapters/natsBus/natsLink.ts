import type { Clock } from '@firmquote/core/utils'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { NatsAddress } from './natsAddress.ts'

/** A connection to NATS that reconnects whenever it is lost. */
export type NatsLink = {
  connected(): boolean
  /** The server's maximum payload size in bytes; 0 while disconnected. */
  maxBytes(): number
  /** Sends `bytes` bytes, or returns why it dropped them. Calls `make` only if sending. Never waits or queues. */
  send(bytes: number, make: () => Uint8Array): 'sent' | 'disconnected' | 'stalled'
  /** Resolves once connected, or after `limitMs` milliseconds. */
  firstConnected(limitMs: number): Promise<void>
  /** Closes the connection. Waits up to one second each for the flush and for a pending connection attempt. */
  close(): Promise<void>
}

/**
 * A connection with its subscription. The session becomes current on the first pong, which confirms the subscription.
 */
type Session = {
  client: NatsConnection
  /** Bytes sent since the last answered ping. */
  unconfirmed: number
  isPinging: boolean
}

/**
 * Bounds of the random delay between attempts, in milliseconds. The random delay spreads out the reconnects of many
 * instances.
 */
const pauseMs = { min: 250, max: 1_000 }
/** Timeout for a connection attempt, in milliseconds. */
const attemptMs = 2_000
/**
 * Interval between pings, in milliseconds. The connection is closed after three consecutive intervals with an
 * unanswered ping and no incoming message.
 */
const pingIntervalMs = 1_000
const maxMissedPings = 3
/** Maximum number of unconfirmed bytes in flight. Limits the memory used by a stalled connection. */
const maxUnconfirmed = 4_194_304
const pingAtUnconfirmed = maxUnconfirmed / 16
const closeMs = 1_000

/**
 * Maintains a connection with one subscription. The client retries only the initial connect; this module detects lost
 * connections. The client's reconnect is disabled, because it would first flush a stalled connection, and would buffer
 * new messages without limit until they are stale.
 *
 * @param onMessage receives messages from other instances on the subject. It must not throw.
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
      // Ignore the error, because `client.closed()` reports the lost connection.
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

  /** Reports permission errors, which the server sends as status events without closing the connection. */
  const readStatus = async (client: NatsConnection): Promise<void> => {
    for await (const status of client.status()) if (status.type === 'error') onRefused(status.error.message)
  }

  /** Serves a connection until it ends. */
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
      // Count intervals rather than elapsed time, so that a process that was paused reads its pending input first.
      // Treat any message as proof that the connection is alive, because a pong may be queued behind many messages.
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
          // Retry within a single `connect` call, which closes the previous attempt's socket. A new call would leave
          // that socket open.
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
        // The connection was closed during this tick.
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
      // A pending connection attempt ends when it times out.
      await withTimeout(closeMs, ended)
    },
  }
}
