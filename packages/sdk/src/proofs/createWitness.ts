import type { CheckpointMessage } from '@firmquote/core'
import { type Clock, systemClock } from '@firmquote/core/utils'
import {
  type Checkpoint,
  cosign,
  formatKey,
  formatProof,
  fromBase64,
  judgeCheckpoint,
  type NoteKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  proveFork,
  type SignBytes,
  type TreeSource,
  type WitnessVerdict,
} from '@firmquote/verify'
import type { WitnessMessage } from '../backer/rfqWebSocketClient.ts'

/** A witness's stored state of a log: the log's key, and the last checkpoint that it signed, as the log's signed note. */
export type WitnessState = { key: string; note: string }

/** Durable storage of a witness. Only one witness may use it at a time. */
export type WitnessStore = {
  /** Reads the state of a log, or null if the witness has never signed for it. */
  read(origin: string): Promise<WitnessState | null>
  /** Stores the state of a log. Resolves once the state survives a power failure; otherwise rejects. */
  write(origin: string, state: WitnessState): Promise<void>
}

/**
 * Why a witness does not trust a log:
 * - `LOG_FORKED`: the log has signed two histories. `proof` is the text of a `fork` proof file.
 * - `LOG_INCONSISTENT`: the log does not show that it continues the history that the witness signed.
 * - `LOG_KEY_CHANGED`: the service names another key for the log than before.
 */
export type WitnessAlarm = {
  code: 'LOG_FORKED' | 'LOG_INCONSISTENT' | 'LOG_KEY_CHANGED'
  origin: string
  /** A description in one sentence. */
  message: string
  proof: string | null
}

/** Options of {@link createWitness}. */
export type WitnessOptions = {
  /** The witness's own key, of type 4. */
  key: NoteKey
  /** Signs with the witness's key. */
  sign: SignBytes
  store: WitnessStore
  /** Called once per code and log. */
  onAlarm(alarm: WitnessAlarm): void
  clock?: Pick<Clock, 'now'>
}

/** A log to witness: its key as `formatKey` writes it, and a reader of its tiles. The key's name is the log's origin. */
export type WitnessedLog = { key: string; reader: TreeSource }

/** A witness's part of one connection. */
export type WitnessSession = {
  /** The message to send after authentication. */
  hello(): Promise<WitnessMessage>
  /**
   * Judges a checkpoint and signs it once it is stored.
   *
   * @returns the answer, or null if there is none to send.
   * @throws {ProofError} if the checkpoint is malformed or not the log's.
   * @throws the store's error if the checkpoint was not stored. The checkpoint is not signed then.
   */
  answer(checkpoint: Omit<CheckpointMessage, 'type'>): Promise<WitnessMessage | null>
}

/** A witness of any number of logs. */
export type Witness = {
  /**
   * Opens a session for a log.
   *
   * @returns null if the log has another key than the one that the witness knows. This is an alarm.
   * @throws {ProofError} if the key is malformed.
   */
  open(log: WitnessedLog): Promise<WitnessSession | null>
}

/** Proofs from another size that a session asks for in a row, before it stops answering. */
const maxResyncs = 3
/** Milliseconds between searches for a fork, whose cost a hostile log could otherwise cause with each checkpoint. */
const investigationMs = 60_000

/**
 * Creates a witness (c2sp.org/tlog-witness). It signs a log's checkpoints only if each continues the history that it
 * signed before, and stores each before it signs. The first key of a log that it sees is the only one that it accepts.
 */
export function createWitness(options: WitnessOptions): Witness {
  const { key, sign, store, onAlarm, clock = systemClock } = options
  const alarmed = new Set<string>()
  let investigatedAt = Number.NEGATIVE_INFINITY
  /** The check and the write are one step, so that two sessions cannot roll the state back. */
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }

  const raise = (alarm: WitnessAlarm) => {
    const id = `${alarm.code} ${alarm.origin}`
    if (alarmed.has(id)) return
    alarmed.add(id)
    onAlarm(alarm)
  }

  const readLast = async (origin: string): Promise<Checkpoint | null> => {
    const state = await store.read(origin)
    return state && parseCheckpoint(parseNote(state.note).text)
  }

  /** Looks for proof that a log which does not continue the signed history has forked. */
  const investigate = async (
    { note, reason }: Extract<WitnessVerdict, { action: 'suspect' }>,
    { log, reader }: { log: NoteKey; reader: TreeSource },
  ): Promise<void> => {
    const origin = log.name
    const known = await store.read(origin)
    if (!known || alarmed.has(`LOG_FORKED ${origin}`) || clock.now() - investigatedAt < investigationMs) return
    investigatedAt = clock.now()
    const proof = await proveFork([known.note, note], { log, source: reader }).catch(() => undefined)
    // An older checkpoint of the same history, or a wrong path to a later one.
    if (proof === null) return
    const message = proof ? `The log ${origin} has signed two histories.` : `${reason} There is no proof of a fork.`
    const code = proof ? 'LOG_FORKED' : 'LOG_INCONSISTENT'
    raise({ code, origin, message, proof: proof ? formatProof(proof) : null })
  }

  return {
    async open({ key: text, reader }) {
      const log = parseKey(text)
      const origin = log.name
      const known = await inOrder(() => store.read(origin))
      if (known && known.key !== formatKey(log)) {
        const message = `The service names another key for the log ${origin} than before.`
        raise({ code: 'LOG_KEY_CHANGED', origin, message, proof: null })
        return null
      }
      let resyncs = 0
      const hello = async (): Promise<WitnessMessage> => {
        const size = (await inOrder(() => readLast(origin)))?.size ?? 0
        return { type: 'witness', key: formatKey(key), size }
      }
      const judge = async (offer: Omit<CheckpointMessage, 'type'>) => {
        const path = offer.path.map((hash) => fromBase64(hash, 'A hash of the path'))
        const before = await readLast(origin)
        const verdict = await judgeCheckpoint({ ...offer, path }, { log, last: before })
        if (verdict.action !== 'cosign') return verdict
        const { size, note } = verdict.checkpoint
        // An equal size has an equal root, which is stored already.
        if (before?.size !== size) await store.write(origin, { key: formatKey(log), note: verdict.note })
        const time = Math.floor(clock.now() / 1_000)
        return { action: 'signed', size, signature: await cosign(note.text, { key, sign, time }) } as const
      }
      return {
        hello,
        async answer(offer) {
          const verdict = await inOrder(() => judge(offer))
          if (verdict.action === 'signed') {
            resyncs = 0
            return { type: 'cosignature', size: verdict.size, signature: verdict.signature }
          }
          if (verdict.action === 'resync') {
            resyncs += 1
            return resyncs <= maxResyncs ? hello() : null
          }
          await investigate(verdict, { log, reader })
          return null
        },
      }
    },
  }
}
