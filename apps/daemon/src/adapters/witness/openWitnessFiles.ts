import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DirectoryLock, lockDirectory } from '@firmquote/node-runtime/lockDirectory'
import { readPrivateFile } from '@firmquote/node-runtime/readPrivateFile'
import type { WitnessState, WitnessStore } from '@firmquote/sdk/proofs'
import { keyTypes, type NoteKey, parseCheckpoint, parseKey, parseNote, witnessNameOf } from '@firmquote/verify'
import * as z from 'zod/mini'
import { ConfigurationError } from '../../errors.ts'
import { writeDurably } from '../writeDurably.ts'

/** A witness's key and state, in a folder that this process has locked. */
export type WitnessFiles = {
  key: NoteKey
  sign(message: Uint8Array): Uint8Array
  store: WitnessStore
  /** Saves a `fork` proof file of a log and returns its path. A later one of the same log replaces it. */
  saveProof(origin: string, proof: string): Promise<string>
  close(): void
}

/** Maximum number of logs that a witness remembers. A service opens another log only after a failure. */
const maxLogs = 100

const stateShape = z.strictObject({
  version: z.literal(1),
  logs: z.record(z.string(), z.strictObject({ key: z.string(), note: z.string() })),
})
type State = z.output<typeof stateShape>

/**
 * Opens a witness's folder, and creates it at the first start.
 *
 * @param name the witness's name in signatures. Default: a name that follows from the key.
 * @throws {ConfigurationError} if another process uses the folder, or if a file is missing, malformed or readable by
 * others. A witness without its state could sign two histories.
 */
export async function openWitnessFiles(folder: string, name: string | undefined): Promise<WitnessFiles> {
  const lock = await lockDirectory(folder, { setting: 'dataDir', program: 'daemon' })
  try {
    return await openLocked(folder, name, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openLocked(folder: string, name: string | undefined, lock: DirectoryLock): Promise<WitnessFiles> {
  const [keyFile, stateFile] = [join(folder, 'witness.key'), join(folder, 'witness.json')]
  const [hasKey, hasState] = await Promise.all([exists(keyFile), exists(stateFile)])
  if (hasKey && !hasState) {
    throw new ConfigurationError(
      `The witness's state ${stateFile} is missing. Without it, the witness could sign two histories; delete ${keyFile} to start with a new key.`,
    )
  }
  const state: State = hasState ? readState(await readFile(stateFile, 'utf8'), stateFile) : { version: 1, logs: {} }
  // The state comes first: a key without a state has lost it.
  if (!hasState) await writeDurably(stateFile, formatState(state))
  if (!hasKey) await writeDurably(keyFile, `${seedOf(generateKeyPairSync('ed25519').privateKey)}\n`)
  const privateKey = readKey(await readPrivateFile(keyFile, 'witness key'), keyFile)
  const publicKey = Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url')

  let { logs } = state
  return {
    key: { name: name ?? witnessNameOf(publicKey), type: keyTypes.witness, publicKey },
    sign: (message) => sign(null, message, privateKey),
    store: {
      read: async (origin) => (Object.hasOwn(logs, origin) ? (logs[origin] as WitnessState) : null),
      async write(origin, { key, note }) {
        if (!Object.hasOwn(logs, origin) && Object.keys(logs).length >= maxLogs)
          throw new TypeError(`The witness already knows ${maxLogs} logs.`)
        const next = { ...logs, [origin]: { key, note } }
        await writeDurably(stateFile, formatState({ version: 1, logs: next }))
        logs = next
      },
    },
    async saveProof(origin, proof) {
      const path = join(folder, `fork-${hashOf(origin)}.json`)
      await writeDurably(path, proof)
      return path
    },
    close: lock.release,
  }
}

function formatState(state: State): string {
  return `${JSON.stringify(state, null, 2)}\n`
}

function readState(text: string, file: string): State {
  try {
    const state = z.parse(stateShape, JSON.parse(text))
    for (const [origin, { key, note }] of Object.entries(state.logs)) {
      if (parseKey(key).name !== origin || parseCheckpoint(parseNote(note).text).origin !== origin)
        throw new TypeError(`The entry of ${origin} is of another log.`)
    }
    return state
  } catch (cause) {
    throw new ConfigurationError(
      `The witness's state ${file} is malformed. Without it, the witness could sign two histories; delete it and the key in the same folder to start with a new key.`,
      { cause },
    )
  }
}

/** The private part of a key: 32 bytes in base64. */
function seedOf(privateKey: KeyObject): string {
  return Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url').toString('base64')
}

/** The bytes before the seed of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function readKey(text: string, file: string): KeyObject {
  const seed = Buffer.from(text.trim(), 'base64')
  if (seed.length !== 32 || seed.toString('base64') !== text.trim())
    throw new ConfigurationError(`The witness key ${file} is malformed; restore it, or delete it for a new key.`)
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
