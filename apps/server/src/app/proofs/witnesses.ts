import type { Clock } from '@firmquote/core/utils'
import {
  formatKey,
  keyTypes,
  mayHaveName,
  type NoteKey,
  ProofError,
  parseKey,
  verifyCosignature,
} from '@firmquote/verify'
import type { Address } from 'viem'
import { judgeSeats } from '../../domain/seats.ts'
import {
  addCosignature,
  type Cosignature,
  isSilent,
  judgeCosignedTime,
  judgeTurn,
  maxCosignatures,
  newTurn,
  type WitnessTurn,
} from '../../domain/witnessTurn.ts'
import type { ReadStanding } from '../makers/makerStanding.ts'

/**
 * A published checkpoint: the text that is signed, the note with the log's signature alone, and when its tree head was
 * committed, in Unix milliseconds.
 */
export type LogHead = { origin: string; size: number; root: Uint8Array; at: number; text: string; note: string }

/** The log, as its witnesses need it. */
export type WitnessedLog = {
  origin: string
  /** The checkpoint to sign; null before the first one, and while checkpoints wait. */
  head(): LogHead | null
  /** The path which shows that the first `from` leaves are a prefix of the tree of the first `size` leaves. */
  consistencyPath(from: number, size: number): Promise<readonly Uint8Array[]>
}

/** A checkpoint for a witness, with the proof of its consistency with the tree of the first `from` leaves. */
export type Offer = LogHead & { from: number; path: readonly Uint8Array[] }

/** The cosignatures of the newest checkpoint that has any. */
export type Cosigned = { head: LogHead; cosignatures: readonly Cosignature[] }

/** A connection to a witness. */
export type WitnessPeer = {
  key: NoteKey
  /** The maker whose program is the witness; null for a witness of the operator, which never loses its place. */
  maker: Address | null
  /** Sends a checkpoint. Does not throw. */
  send(offer: Offer): void
}

/** The service's handle to a witness. */
export type WitnessPlace = {
  /**
   * Adds the witness's signature line to the checkpoint.
   *
   * @returns why it is refused, or null.
   */
  cosign(size: number, line: string): Promise<string | null>
  /** The witness names the size of the last tree that it signed. Its next checkpoint starts there. */
  resync(size: number): void
  /** The witness did not sign. The service asks it again after `milliseconds`. */
  pause(milliseconds: number): void
  leave(): void
}

/** Why a witness is not admitted. */
export type WitnessRefusal = { code: 'INVALID_REQUEST' | 'OVERLOADED'; message: string }

/** The log's witnesses. */
export type Witnesses = {
  join(peer: WitnessPeer, size: number): Promise<WitnessPlace | WitnessRefusal>
  /** Sends the newest checkpoint to the witnesses. Call this after each publication. */
  published(): void
  /** The newest checkpoint that a witness signed, or null. It may be older than the newest checkpoint. */
  cosigned(): Cosigned | null
  count(): number
  stop(): void
}

/** Dependencies of {@link createWitnesses}. */
export type WitnessesDeps = {
  log: WitnessedLog
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>
  readStanding: ReadStanding
  logger: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

type Entry = WitnessPeer & { turn: WitnessTurn; asked: LogHead | null; isAheadLogged: boolean }

/** Interval of the rounds in which witnesses sign an unchanged log again. */
const roundMs = 1_000
/** Milliseconds before a witness is asked again after reading the proof for it failed. */
const failureMs = 5_000
/** Paths kept for one size. Witnesses name any sizes they like. */
const maxPaths = 2 * maxCosignatures
/** Minimum interval between comparisons of makers' funds. */
const decisionMs = 10_000

/** Creates the witnesses. Each has at most one unanswered checkpoint, so that a slow one costs nothing. */
export function createWitnesses(deps: WitnessesDeps): Witnesses {
  const { log, clock, readStanding, logger } = deps
  const entries = new Set<Entry>()
  let cosigned: Cosigned | null = null
  let paths = new Map<string, Promise<readonly Uint8Array[]>>()
  let pathsOf = 0
  let cancelRound: (() => void) | null = null
  let nextDecisionAt = Number.NEGATIVE_INFINITY

  /** Most witnesses have the same size, so a path is read once. */
  const pathTo = (from: number, size: number) => {
    if (pathsOf !== size || paths.size >= maxPaths) [paths, pathsOf] = [new Map(), size]
    const id = String(from)
    const path = paths.get(id) ?? log.consistencyPath(from, size)
    paths.set(id, path)
    path.catch(() => paths.delete(id))
    return path
  }

  const ask = async (entry: Entry) => {
    const head = log.head()
    if (!head) return
    const { turn } = entry
    const verdict = judgeTurn(turn, head.size, clock.monotonic())
    if (verdict === 'ahead' && !entry.isAheadLogged) {
      entry.isAheadLogged = true
      logger.warn({ witness: entry.key.name, known: turn.size, size: head.size }, 'a witness knows a larger log')
    }
    if (verdict !== 'ask') return
    entry.turn = { ...turn, asked: { size: head.size, at: clock.monotonic() } }
    entry.asked = head
    try {
      const path = await pathTo(turn.size, head.size)
      if (entries.has(entry) && entry.asked === head) entry.send({ ...head, from: turn.size, path })
    } catch (err) {
      logger.warn({ err, witness: entry.key.name }, 'failed to read the proof for a witness')
      pause(entry, failureMs)
    }
  }

  const pause = (entry: Entry, milliseconds: number) => {
    entry.asked = null
    entry.turn = { ...entry.turn, asked: null, retryAt: clock.monotonic() + milliseconds }
  }

  const askAll = () => {
    for (const entry of entries) void ask(entry)
  }

  const scheduleRound = () => {
    if (cancelRound || entries.size === 0) return
    cancelRound = clock.after(roundMs, () => {
      cancelRound = null
      askAll()
      scheduleRound()
    })
  }

  async function cosign(entry: Entry, size: number, line: string): Promise<string | null> {
    const head = entry.asked
    if (!entries.has(entry)) return `Another witness has the place of ${entry.key.name}.`
    if (!head || head.size !== size) return `No checkpoint of ${size} entries awaits a signature of ${entry.key.name}.`
    // A second answer must not be verified at the same time.
    entry.asked = null
    const refused = await verify(entry, head, line)
    if (refused !== null) {
      // A wrong signature may be followed by a right one.
      if (entry.turn.asked) entry.asked ??= head
      return refused
    }
    if (entries.has(entry)) void ask(entry)
    return null
  }

  async function verify(entry: Entry, head: LogHead, line: string): Promise<string | null> {
    const { key } = entry
    const { asked } = entry.turn
    let time: number
    try {
      time = await verifyCosignature(head.text, line, key)
    } catch (error) {
      if (error instanceof ProofError) return error.message
      throw error
    }
    const askedAt = clock.now() - (clock.monotonic() - (asked?.at ?? clock.monotonic()))
    const mistimed = judgeCosignedTime(time, Math.floor(askedAt / 1_000))
    if (mistimed !== null) {
      pause(entry, failureMs)
      return mistimed
    }
    const { size } = head
    entry.turn = { ...entry.turn, size, asked: null, signedAt: clock.monotonic() }
    const isOld = cosigned && cosigned.head.origin === head.origin && cosigned.head.size > size
    if (isOld) return null
    const isSame = cosigned?.head.text === head.text
    const cosignature = { key: formatKey(key), name: key.name, size, time, line }
    cosigned = { head, cosignatures: addCosignature(isSame ? (cosigned?.cosignatures ?? []) : [], cosignature) }
    return null
  }

  /** Frees a place for another witness of a maker. Returns whether there is one. */
  async function makeRoom(maker: Address): Promise<boolean> {
    const mine = (entry: Entry) => entry.maker?.toLowerCase() === maker.toLowerCase()
    for (const entry of entries) if (mine(entry)) entries.delete(entry)
    if (entries.size < maxCosignatures) return true
    const now = clock.monotonic()
    const silent = [...entries].find((entry) => entry.maker !== null && isSilent(entry.turn, now))
    if (silent) return entries.delete(silent)
    if (now < nextDecisionAt) return false
    nextDecisionAt = now + decisionMs
    const present = [...entries].flatMap((entry) => (entry.maker === null ? [] : [{ maker: entry.maker, entry }]))
    const claims = [...present, { maker, entry: null }]
    const standing = await readStanding(claims.map((claim) => claim.maker))
    const [leaving] = judgeSeats(claims, standing, claims.length - 1)
    if (!leaving?.entry) return false
    entries.delete(leaving.entry)
    return entries.size < maxCosignatures
  }

  return {
    async join(peer, size) {
      const { key, maker } = peer
      const takes = [...entries].some((one) => one.key.name === key.name && formatKey(one.key) !== formatKey(key))
      // A proof names each signature's key, so names are unique.
      if (takes || key.name === log.origin || !mayHaveName(key))
        return { code: 'INVALID_REQUEST', message: `The name ${key.name} belongs to another key. Choose another name.` }
      const hasRoom = maker === null || (await makeRoom(maker))
      if (!hasRoom) {
        const message = `All ${maxCosignatures} places for witnesses are in use. Verify the log without cosigning it.`
        return { code: 'OVERLOADED', message }
      }
      const entry: Entry = { ...peer, turn: newTurn(size), asked: null, isAheadLogged: false }
      entries.add(entry)
      logger.info({ witness: key.name, maker, size }, 'a witness has joined')
      void ask(entry)
      scheduleRound()
      return {
        cosign: (signedSize, line) => cosign(entry, signedSize, line),
        resync(known) {
          entry.asked = null
          entry.turn = { ...newTurn(known), signedAt: entry.turn.signedAt, retryAt: entry.turn.retryAt }
          if (entries.has(entry)) void ask(entry)
        },
        pause: (milliseconds) => pause(entry, milliseconds),
        leave() {
          entries.delete(entry)
        },
      }
    },
    published: askAll,
    cosigned: () => cosigned,
    count: () => entries.size,
    stop() {
      entries.clear()
      cancelRound?.()
      cancelRound = null
    },
  }
}

/**
 * Parses a witness's key.
 *
 * @returns why it is refused, if it is not a witness's key.
 */
export function parseWitnessKey(text: string): NoteKey | string {
  try {
    const key = parseKey(text)
    return key.type === keyTypes.witness ? key : `The key ${key.name} is a log's, not a witness's.`
  } catch (error) {
    if (error instanceof ProofError) return error.message
    throw error
  }
}
