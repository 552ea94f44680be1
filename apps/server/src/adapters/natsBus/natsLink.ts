import type { Clock } from '@firmquote/core'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { NatsAddress } from './natsAddress.ts'

/** One connection to NATS that is made again whenever it is lost. */
export type NatsLink = {
  connected(): boolean
  /** The largest payload that the server takes, in bytes; 0 while there is no connection. */
  mostBytes(): number
  /**
   * Sends so many bytes, or says why not; then they are not even made. It never waits, and nothing is kept to be sent later.
   */
  send(bytes: number, make: () => Uint8Array): 'sent' | 'disconnected' | 'stalled'
  /** Resolves when it is connected, at the latest after so many milliseconds. */
  firstConnected(limitMs: number): Promise<void>
  /** Ends it, after what was sent has arrived or a second has passed, and an attempt has ended or another second has passed. */
  close(): Promise<void>
}

/** A connection with its subscription; it counts once the server has answered, and with that has the subscription. */
type Session = {
  client: NatsConnection
  /** What was sent since the last ping that has an answer, in bytes. */
  unconfirmed: number
  isPinging: boolean
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
  let current: Session | null = null
  let stopped = false
  let endPause = () => {}
  const onFirst = new Set<() => void>()

  const drawPause = () => pauses.least + ((random(1)[0] ?? 0) / 255) * (pauses.most - pauses.least)

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
      // The connection has ended, which is told by itself.
      () => {},
    )
  }

  /** Resolves when something has come to its end, or so many milliseconds have passed. */
  const atMost = (milliseconds: number, work: Promise<void>) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(milliseconds, resolve)
      const end = () => {
        cancel()
        resolve()
      }
      work.then(end, end)
    })

  /** What the server does not allow, publishing or subscribing, it says by the way, and the connection goes on. */
  const readStatus = async (client: NatsConnection): Promise<void> => {
    for await (const status of client.status()) if (status.type === 'error') onRefused(status.error.message)
  }

  /** Resolves when the connection has ended. */
  const serve = async (client: NatsConnection): Promise<void> => {
    const session: Session = { client, unconfirmed: 0, isPinging: false }
    let hasHeard = false
    client.subscribe(subject, {
      callback: (error, message) => {
        hasHeard = true
        if (!error) onMessage(message.data)
      },
    })
    void readStatus(client)
    let missed = 0
    let cancelBeat = () => {}
    const sendHeartbeat = () => {
      // By beats and not by time: a process that was paused first reads what has come meanwhile. An answer may stand behind a
      // long line of messages, so these are signs of life too.
      missed = session.isPinging && !hasHeard ? missed + 1 : 0
      hasHeard = false
      if (missed === missedBeats) void client.close()
      else {
        if (!session.isPinging) ping(session)
        cancelBeat = clock.after(beatMs, sendHeartbeat)
      }
    }
    sendHeartbeat()
    await client.closed()
    cancelBeat()
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
    mostBytes: () => current?.client.info?.max_payload ?? 0,
    send(bytes, make) {
      if (!current) return 'disconnected'
      if (current.unconfirmed + bytes > mostUnconfirmed) return 'stalled'
      try {
        current.client.publish(subject, make())
      } catch {
        // It has ended in this turn.
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
        await atMost(closeMs, client.flush())
        await client.close()
      }
      // An attempt that is under way ends by itself.
      await atMost(closeMs, ended)
    },
  }
}
