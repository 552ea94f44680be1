import { bytesToHex } from 'viem'
import { sha256 } from '#platform'
import { areEqual, concat, fromBase64, toBase64, utf8 } from './bytes.ts'
import { ProofError } from './proofError.ts'

// Signed notes (c2sp.org/signed-note) with Ed25519 keys of two types.

/** The types of keys: a log's signatures of a note, and witnesses' cosignatures with a time. */
export const keyTypes = { log: 1, witness: 4 } as const

/** A named public key. `publicKey` has 32 bytes. */
export type NoteKey = { name: string; type: (typeof keyTypes)[keyof typeof keyTypes]; publicKey: Uint8Array }

/** One signature line. `keyId` has 4 bytes. */
export type NoteSignature = { name: string; keyId: Uint8Array; signature: Uint8Array }

/** A parsed note. `text` ends with a newline. */
export type SignedNote = { text: string; signatures: readonly NoteSignature[] }

/** Maximum number of signatures in a note: one of the log, 20 of witnesses, and some to spare. */
const maxSignatures = 32
const keyName = /^[^\s+]+$/u

/** The four bytes that identify a key in a signature line. */
export function keyIdOf({ name, type, publicKey }: NoteKey): Uint8Array {
  return sha256(utf8(`${name}\n`), Uint8Array.of(type), publicKey).slice(0, 4)
}

/** Formats a key as `name+id+base64`, the form in which policies and settings name it. */
export function formatKey(key: NoteKey): string {
  return `${key.name}+${bytesToHex(keyIdOf(key)).slice(2)}+${toBase64(concat(Uint8Array.of(key.type), key.publicKey))}`
}

/**
 * Parses a key in the form of {@link formatKey}.
 *
 * @throws {ProofError} if the text is malformed, the type is unknown, or the id is not the key's.
 */
export function parseKey(text: string): NoteKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? []
  if (!keyName.test(name)) throw new ProofError(`The key ${JSON.stringify(text)} is not of the form name+id+base64.`)
  const [type, ...bytes] = fromBase64(encoded, `The key ${name}`)
  const publicKey = Uint8Array.from(bytes)
  if ((type !== keyTypes.log && type !== keyTypes.witness) || publicKey.length !== 32) {
    throw new ProofError(`The key ${name} is not an Ed25519 key of a log or a witness.`)
  }
  const key: NoteKey = { name, type, publicKey }
  if (bytesToHex(keyIdOf(key)).slice(2) !== id)
    throw new ProofError(`The id of the key ${JSON.stringify(name)} is not ${id}.`)
  return key
}

/** The prefix of names that follow from their key. */
const keyNamePrefix = 'firmquote-daemon/'

/** The default name of a maker's witness: `firmquote-daemon/` and the first 16 hex digits of its public key's SHA-256. */
export function witnessNameOf(publicKey: Uint8Array): string {
  return keyNamePrefix + bytesToHex(sha256(publicKey)).slice(2, 18)
}

/** Whether a key may have its name. A name in the form of {@link witnessNameOf} belongs to one key. */
export function mayHaveName({ name, publicKey }: NoteKey): boolean {
  return !name.startsWith(keyNamePrefix) || name === witnessNameOf(publicKey)
}

/** Formats a note. */
export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map((one) => `${formatSignature(one)}\n`).join('')}`
}

/** Formats a signature line, without its newline. */
export function formatSignature({ name, keyId, signature }: NoteSignature): string {
  return `— ${name} ${toBase64(concat(keyId, signature))}`
}

/**
 * Parses a signature line in its only encoding.
 *
 * @throws {ProofError} if the line is not a signature.
 */
export function parseSignature(line: string): NoteSignature {
  const [, name, encoded = ''] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
  if (name === undefined) throw new ProofError('A line below the note is not a signature.')
  const bytes = fromBase64(encoded, `The signature of ${name}`)
  if (bytes.length < 5) throw new ProofError(`The signature of ${name} is too short.`)
  return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) }
}

/**
 * Parses a note without verifying it.
 *
 * @throws {ProofError} if the text is not a note in its only encoding.
 */
export function parseNote(note: string): SignedNote {
  const split = note.lastIndexOf('\n\n')
  if (split < 0 || !note.endsWith('\n') || hasControlCharacter(note))
    throw new ProofError('The text is not a signed note.')
  const lines = note.slice(split + 2, -1).split('\n')
  if (lines.length > maxSignatures) throw new ProofError(`The note has more than ${maxSignatures} signatures.`)
  return { text: note.slice(0, split + 1), signatures: lines.map(parseSignature) }
}

/**
 * Returns a key's verified signature of a note: the time at which a witness signed, in Unix seconds; null for a log.
 *
 * @returns undefined if the note has no signature by the key.
 * @throws {ProofError} if a signature names the key but is wrong, or if there are two.
 */
export async function verifyNote({ text, signatures }: SignedNote, key: NoteKey): Promise<number | null | undefined> {
  const id = keyIdOf(key)
  const [own, other] = signatures.filter(({ name, keyId }) => name === key.name && areEqual(keyId, id))
  if (!own) return undefined
  const wrong = new ProofError(`The signature of ${key.name} is wrong.`)
  if (other) throw new ProofError(`The note has two signatures of ${key.name}.`)
  const isWitness = key.type === keyTypes.witness
  if (own.signature.length !== (isWitness ? 72 : 64)) throw wrong
  const time = isWitness ? Number(BigInt(bytesToHex(own.signature.slice(0, 8)))) : null
  if (time !== null && !Number.isSafeInteger(time)) throw wrong
  const message = time === null ? text : cosignedText(text, time)
  if (!(await verifyEd25519(key.publicKey, own.signature.slice(-64), utf8(message)))) throw wrong
  return time
}

/** The text that a witness signs. `time` is in Unix seconds. */
export function cosignedText(text: string, time: number): string {
  return `cosignature/v1\ntime ${time}\n${text}`
}

async function verifyEd25519(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', publicKey.slice(), 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', key, signature.slice(), message.slice())
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((letter) => letter < ' ' && letter !== '\n')
}
