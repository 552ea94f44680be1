import { type Clock, systemClock } from '@firmquote/core/utils'
import {
  createTreeReader,
  type NoteKey,
  type Policy,
  ProofError,
  parseKey,
  type Tile,
  type TreeHead,
  type TreeReader,
  tilePath,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from '@firmquote/verify'
import { checkTimeout } from '../checkOptions.ts'
import { InvalidInputError } from '../coreErrors.ts'
import { InvalidResponseError } from '../errors.ts'
import { readBytes } from './readBytes.ts'

/** Maximum size of a checkpoint in bytes: a log's signature and 20 witnesses' need about 3 kB. */
const maxCheckpointBytes = 16_384
const maxListBytes = 65_536
/** Maximum size of an entry in bytes, far above that of any record. */
const maxEntryBytes = 1_024

/** How to reach a log. */
export type LogSource = {
  fetch?: typeof globalThis.fetch
  clock?: Clock
  /** Ends all reads. */
  signal?: AbortSignal | undefined
  /** Timeout of one request in milliseconds, with its retries; default: 15,000. */
  timeoutMs?: number
}

/** Options of {@link createLogReader}. */
export type LogReaderOptions = LogSource & {
  /** URL of the log, such as `https://rfq.example.com/log/1`. */
  url: string
  /**
   * The log's key, as `formatKey` writes it. By default, the reader takes the key that the service lists (`GET /log`) at
   * its first read, and keeps it.
   */
  key?: string
  /** Witnesses whose cosignatures are verified, and the number that must have cosigned a checkpoint; default: none. */
  witnesses?: readonly NoteKey[]
  quorum?: number
}

/**
 * Reads a log over HTTP and trusts only its key. Every method rejects with a {@link ProofError} if the log's answer is
 * false, and with a {@link ClientError} if there is no answer, or one that is too long, a redirect or an error.
 */
export type LogReader = {
  /** The log's key. */
  key(): Promise<NoteKey>
  /**
   * Reads and verifies the newest checkpoint. That it continues an earlier one is not checked: use `consistencyPath`
   * with `verifyConsistency`.
   */
  checkpoint(): Promise<VerifiedCheckpoint>
  /** Reads the entries from index `from` up to, but without, index `to`, of the tree of a verified checkpoint. */
  entries(from: number, to: number, head: TreeHead): Promise<Uint8Array[]>
  /** Reads the path of the leaf at `index` in the tree of a verified checkpoint. */
  inclusionPath(index: number, head: TreeHead): Promise<Uint8Array[]>
  /** Reads the path which shows that the first `from` leaves are a prefix of the tree of a verified checkpoint. */
  consistencyPath(from: number, head: TreeHead): Promise<Uint8Array[]>
  /** The root of the first `size` leaves of the tree of a verified checkpoint. */
  root(size: number, head: TreeHead): Promise<Uint8Array>
}

/**
 * Creates a reader of a service's log. It verifies checkpoints with the log's key, and all tiles and entries with a
 * checkpoint's root. It follows no redirects, and limits the size and time of each answer.
 *
 * @throws {InvalidInputError} if the URL, the key or the timeout is malformed.
 * @example
 * ```ts
 * const reader = createLogReader({ url: `${orderbookUrl}/log/1` })
 * const checkpoint = await reader.checkpoint()
 * const [first] = await reader.entries(0, 1, checkpoint)
 * ```
 */
export function createLogReader(options: LogReaderOptions): LogReader {
  const { witnesses = [], quorum = 0 } = options
  const url = checkUrl(options.url)
  const source = checkSource(options)
  if (!/\/log\/\d+$/.test(url)) {
    throw new InvalidInputError('must be the URL of a log, which ends with /log/ and its number.', {
      path: 'url',
      given: options.url,
    })
  }
  let known = options.key === undefined ? undefined : Promise.resolve(readKey(options.key))
  const readListedKey = async () => {
    const logs = await readLogs(url.replace(/\/log\/\d+$/, ''), source)
    const listed = logs.find((log) => log.url === url)
    if (!listed) throw new ProofError(`The service does not list the log ${url}.`)
    return parseKey(listed.key)
  }
  const key = () => {
    known ??= readListedKey()
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const readTile = (tile: Tile) => {
    const limit = tile.width * (tile.level === 'entries' ? maxEntryBytes + 2 : 32)
    return readBytes(`${url}/${tilePath(tile)}`, limit, source)
  }
  const trees = new WeakMap<TreeHead, TreeReader>()
  const treeOf = (head: TreeHead) => {
    const tree = trees.get(head) ?? createTreeReader(head, readTile)
    trees.set(head, tree)
    return tree
  }
  return {
    key,
    async checkpoint() {
      const policy: Policy = { log: await key(), witnesses, quorum }
      return verifyCheckpoint(toText(await readBytes(`${url}/checkpoint`, maxCheckpointBytes, source)), policy)
    },
    entries: async (from, to, head) => treeOf(head).entries(from, to),
    inclusionPath: async (index, head) => treeOf(head).inclusionPath(index, head.size),
    consistencyPath: async (from, head) => treeOf(head).consistencyPath(from, head.size),
    root: async (size, head) => treeOf(head).root(size),
  }
}

/** A log that a service lists. `url` is absolute, `key` is in the form of `formatKey`. */
export type ListedLog = { origin: string; url: string; key: string }

/**
 * Reads the list of a service's logs, the newest last. The service's word is the only evidence for the keys: compare them
 * with ones that you trust, or keep the first that you see.
 *
 * @param url URL of the service, such as `https://rfq.example.com`.
 * @throws {InvalidInputError} if the URL is malformed.
 * @throws {InvalidResponseError} if the answer is not a list of logs.
 * @example
 * ```ts
 * const [log] = await readLogs(orderbookUrl)
 * log?.url === `${orderbookUrl}/log/1` // true
 * ```
 */
export async function readLogs(url: string, options: LogSource = {}): Promise<ListedLog[]> {
  const service = checkUrl(url)
  const text = toText(await readBytes(`${service}/log`, maxListBytes, checkSource(options)))
  const fail = () => new InvalidResponseError(`The answer of ${service}/log is not a list of logs.`)
  let logs: unknown
  try {
    logs = (JSON.parse(text) as { logs?: unknown } | null)?.logs
  } catch {}
  if (!Array.isArray(logs)) throw fail()
  return logs.map((log: Partial<ListedLog> | null) => {
    const { origin, url: path, key } = log ?? {}
    if (typeof origin !== 'string' || typeof key !== 'string' || typeof path !== 'string') throw fail()
    // The list must not send the reader to another host.
    if (!/^\/log\/\d+$/.test(path) || !isKeyOf(key, origin)) throw fail()
    return { origin, url: `${service}${path}`, key }
  })
}

function isKeyOf(key: string, origin: string): boolean {
  try {
    return parseKey(key).name === origin
  } catch {
    return false
  }
}

function readKey(text: string): NoteKey {
  try {
    return parseKey(text)
  } catch (cause) {
    throw new InvalidInputError((cause as Error).message, { path: 'key', given: text, cause })
  }
}

/** @throws {InvalidInputError} if it is not a URL of a service or a log. Removes a trailing slash. */
export function checkUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidInputError('must be an http:// or https:// URL without query.', { path: 'url' })
  }
  return url.href.replace(/\/$/, '')
}

/** Applies the defaults. @throws {InvalidInputError} if the timeout is malformed. */
export function checkSource({ fetch = globalThis.fetch, clock = systemClock, signal, timeoutMs = 15_000 }: LogSource) {
  checkTimeout(timeoutMs, 'timeoutMs')
  return { fetch, clock, signal, timeoutMs }
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
