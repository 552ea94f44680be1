import type { Clock } from '@firmquote/core'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { NatsAddress } from './natsAddress.ts'

/** One connection to NATS that is made again whenever it is lost. */
export type NatsLink = {
  connected(): boolean
  /** The largest payload that the server takes, in bytes; 0 while there is no connection. */
  mostBytes(): number
  /** Sends, or says why not. It never waits, and nothing is kept to be sent later. */
  send(payload: Uint8Array): 'sent' | 'disconnected' | 'stalled'
  /** Resolves when it is connected, at the latest after so many milliseconds. */
  firstConnected(limitMs: number): Promise<void>
  /** Ends it, after what was sent has arrived or a second has passed. */
  close(): Promise<void>
}

/** The pauses between two attempts, in milliseconds: drawn, so that many instances do not come at once. */
const pauses = { least: 250, most: 1_000 }
/** An attempt ends after so many milliseconds. */
const attemptMs = 2_000
/** A ping is sent this often, in milliseconds; a connection on which one has no answer at the third beat after it is given up. */
const beatMs = 1_000
const missedBeats = 3
/** So many bytes may be under way without an answer to a ping: a connection that takes nothing keeps no more in memory. */
const mostUnconfirmed = 4_194_304
const pingAtUnconfirmed = mostUnconfirmed / 16
const closeMs = 1_000

/**
 * Keeps a connection and one subscription. The client makes the first connection of each, as often as it takes; that a connection is lost is
 * found here: the client would let a connection that takes nothing wait for its last bytes to leave before it made another, and would
 * keep what is published meanwhile, without a limit, to send it when it is worth nothing.
 *
 * @param onMessage is given what others publish on the subject; it must not throw.
 * @param onChange is told of each connection that is made or lost.
 * @param onRefused is given what the server does not allow, as often as it says so.
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
  let connection: NatsConnection | null = null
  let unconfirmed = 0
  let isPinging = false
  let stopped = false
  let endPause = () => {}
  const onFirst = new Set<() => void>()

  const drawPause = () => pauses.least + ((random(1)[0] ?? 0) / 255) * (pauses.most - pauses.least)

  const ping = (live: NatsConnection) => {
    isPinging = true
    const covered = unconfirmed
    live.flush().then(
      () => {
        if (connection !== live) return
        unconfirmed -= covered
        isPinging = false
      },
      // The connection has ended, which is told by itself.
      () => {},
    )
  }

  /** What the server does not allow, publishing or subscribing, it says by the way, and the connection goes on. */
  const readStatus = async (live: NatsConnection): Promise<void> => {
    for await (const status of live.status()) if (status.type === 'error') onRefused(status.error.message)
  }

  /** Resolves when the connection has ended. */
  const serve = async (live: NatsConnection): Promise<void> => {
    connection = live
    unconfirmed = 0
    live.subscribe(subject, {
      callback: (error, message) => {
        if (!error) onMessage(message.data)
      },
    })
    void readStatus(live)
    let missed = 0
    let cancelBeat = () => {}
    const beat = () => {
      // By beats and not by time: a process that was paused first reads what has come meanwhile.
      missed = isPinging ? missed + 1 : 0
      if (missed === missedBeats) void live.close()
      else {
        if (!isPinging) ping(live)
        cancelBeat = clock.after(beatMs, beat)
      }
    }
    isPinging = false
    beat()
    onChange(true)
    for (const resolve of onFirst) resolve()
    await live.closed()
    cancelBeat()
    connection = null
    onChange(false)
  }

  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        const live = await connect({
          ...address,
          name: 'firmquote',
          noEcho: true,
          reconnect: false,
          // Attempts of one call: each gives up the socket of the one before, which a new call would leave open.
          waitOnFirstConnect: true,
          reconnectDelayHandler: () => {
            if (stopped) throw new TypeError('The bus is closed.')
            return drawPause()
          },
          timeout: attemptMs,
          ignoreClusterUpdates: true,
          noAsyncTraces: true,
        })
        if (stopped) await live.close()
        else await serve(live)
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
  void run()

  return {
    connected: () => connection !== null,
    mostBytes: () => connection?.info?.max_payload ?? 0,
    send(payload) {
      if (!connection) return 'disconnected'
      if (unconfirmed + payload.length > mostUnconfirmed) return 'stalled'
      try {
        connection.publish(subject, payload)
      } catch {
        // It has ended in this turn.
        return 'disconnected'
      }
      unconfirmed += payload.length
      if (!isPinging && unconfirmed >= pingAtUnconfirmed) ping(connection)
      return 'sent'
    },
    firstConnected: (limitMs) =>
      new Promise((resolve) => {
        if (connection) return resolve()
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
      const live = connection
      if (!live) return
      await new Promise<void>((resolve) => {
        const cancel = clock.after(closeMs, resolve)
        const end = () => {
          cancel()
          resolve()
        }
        live.flush().then(end, end)
      })
      await live.close()
    },
  }
}
