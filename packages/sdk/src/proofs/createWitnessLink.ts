import type { CheckpointMessage } from '@firmquote/core'
import type { WitnessMessage } from '../backer/rfqWebSocketClient.ts'
import type { WitnessSession } from './createWitness.ts'

/** Options of {@link createWitnessLink}. */
export type WitnessLinkOptions = {
  /** Opens a session for the service's current log. Null if the service has no log, or one that is not trusted. */
  open(): Promise<WitnessSession | null>
  /** Sends a message on the authenticated connection. */
  send(message: WitnessMessage): unknown
  /** Receives failures. The next connection tries again. */
  onError(error: unknown): void
  /** Called after a cosignature was sent. `size` is the number of the log's entries. */
  onCosigned?(size: number): void
}

/** Passes a connection's events to a witness. */
export type WitnessLink = {
  /** Call this at `onAuthenticated`. */
  connected(): void
  /** Call this at `onCheckpoint`. */
  receive(checkpoint: CheckpointMessage): void
  /** Call this at `onClose`. */
  disconnected(): void
  /** Resolves once no work is in progress. The witness signs no more checkpoints afterwards, unless `connected` is called again. */
  stop(): Promise<void>
}

/**
 * Connects a witness to a backer's channel. Of the checkpoints that arrive while one is judged, it keeps the newest.
 */
export function createWitnessLink({ open, send, onError, onCosigned }: WitnessLinkOptions): WitnessLink {
  let connection = 0
  let session: WitnessSession | null = null
  let waiting: CheckpointMessage | null = null
  let working: Promise<void> = Promise.resolve()
  let isWorking = false

  const start = async (own: number) => {
    const opened = await open()
    const hello = await opened?.hello()
    if (own !== connection || !opened || !hello) return
    session = opened
    send(hello)
  }

  const drain = async () => {
    for (; session && waiting; ) {
      const [own, offer] = [connection, waiting]
      waiting = null
      const answer = await session.answer(offer).catch(onError)
      if (!answer || own !== connection) continue
      send(answer)
      if (answer.type === 'cosignature') onCosigned?.(answer.size)
    }
  }

  const disconnected = () => {
    connection += 1
    session = null
    waiting = null
  }

  return {
    connected() {
      disconnected()
      start(connection).catch(onError)
    },
    receive(checkpoint) {
      if (!session) return
      waiting = checkpoint
      if (isWorking) return
      isWorking = true
      working = drain().finally(() => {
        isWorking = false
      })
    },
    disconnected,
    async stop() {
      disconnected()
      await working
    },
  }
}
