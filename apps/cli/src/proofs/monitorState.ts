import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseKey } from '@firmquote/verify'
import { UsageError } from '../errors.ts'
import type { Audit } from './auditLog.ts'
import { parseObject } from './loadInput.ts'

/**
 * A monitor's state between runs: the log's URL and key, its newest verified checkpoint (a signed note), the one that
 * witnesses saw last, and the audit of its entries.
 */
export type MonitorState = { url: string; key: string; note: string | null; witnessed: string | null; audit: Audit }

/**
 * Loads a state.
 *
 * @returns null if the file does not exist.
 * @throws {UsageError} if the file cannot be read or is not a state.
 */
export async function loadState(file: string): Promise<MonitorState | null> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null
    throw new UsageError(`The state file cannot be read (${cause.code ?? 'unknown'}).`)
  })
  return text === null ? null : parseState(text)
}

/** Formats a state as one line of JSON. */
export function formatState({ url, key, note, witnessed, audit }: MonitorState): string {
  const open = [...audit.open].map(([id, { index, closesAt, isReported }]) => [id, index, closesAt, isReported])
  const { position, newestAt } = audit
  return `${JSON.stringify({ version: 1, url, key, note, witnessed, position, newestAt, open })}\n`
}

/**
 * Parses a state. `audit.witnessedAt` follows from `witnessed` and a policy, and is 0 until then.
 *
 * @throws {UsageError} if the text is not a state.
 */
export function parseState(text: string): MonitorState {
  const { version, url, key, note, witnessed, position, newestAt, open } = parseObject(text, 'The state file')
  const isState =
    version === 1 &&
    typeof url === 'string' &&
    isKey(key) &&
    isNote(note) &&
    isNote(witnessed) &&
    isCount(position) &&
    isCount(newestAt) &&
    Array.isArray(open) &&
    open.every(isOpenAuction)
  if (!isState) throw new UsageError('The state file is not one that firmquote monitor wrote.')
  const entries = open.map(([id, index, closesAt, isReported]) => [id, { index, closesAt, isReported }] as const)
  return { url, key, note, witnessed, audit: { position, newestAt, witnessedAt: 0, open: new Map(entries) } }
}

/**
 * Writes a file so that a crash leaves the old content or the new one, and both are on the disk.
 *
 * @throws {UsageError} if the file cannot be written.
 */
export async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`
  try {
    await writeSynced(temporary, text)
    await rename(temporary, file)
    const folder = await open(dirname(file), 'r')
    await folder.sync().finally(() => folder.close())
  } catch (cause) {
    throw new UsageError(`${file} cannot be written (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isKey(value: unknown): value is string {
  try {
    return typeof value === 'string' && parseKey(value) !== null
  } catch {
    return false
  }
}

function isNote(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isOpenAuction(value: unknown): value is [string, number, number, boolean] {
  if (!Array.isArray(value)) return false
  const [id, index, closesAt, isReported] = value
  return /^[0-9a-f]{32}$/.test(String(id)) && isCount(index) && isCount(closesAt) && typeof isReported === 'boolean'
}
