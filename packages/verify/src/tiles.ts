import { areEqual, concat } from './bytes.ts'
import { ProofError } from './proofError.ts'
import { hashLeaf, hashNode, rootOf, rootOfSubtrees, type TreeHead } from './tree.ts'

// Tiles of c2sp.org/tlog-tiles: 256 hashes, or the rightmost ones of a level.

const tileWidth = 256
/** Maximum number of verified tiles in memory, about 2 MB. */
const maxCachedTiles = 64
/** Number of bundles of entries that are read at the same time. */
const parallelBundles = 8

/** A tile's coordinates: its level, or `entries`, its index in the level, and the number of hashes or entries. */
export type Tile = { level: number | 'entries'; index: number; width: number }

/** The path of a tile below the log's prefix, such as `tile/0/x001/x234/067.p/5`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${name}${width < tileWidth ? `.p/${width}` : ''}`
}

/** Parses a tile's path. @returns null if the path names no tile. */
export function parseTilePath(path: string): Tile | null {
  const [, level = '', name = '', width] =
    /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? []
  const index = Number(name.replace(/[x/]/g, ''))
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index,
    width: width === undefined ? tileWidth : Number(width),
  }
  // Only the canonical path names the tile.
  return Number.isSafeInteger(index) && tile.width > 0 && tilePath(tile) === path ? tile : null
}

/** The width of the tile at `index` of a level, in a tree of `size` leaves. Zero if there is none. */
export function widthOf(level: number, index: number, size: number): number {
  const hashes = Math.floor(size / tileWidth ** level)
  return Math.max(0, Math.min(tileWidth, hashes - index * tileWidth))
}

/** Splits a tile's bytes into its hashes. @throws {ProofError} if they are not `width` hashes. */
export function decodeTile(bytes: Uint8Array, width: number): Uint8Array[] {
  if (bytes.length !== width * 32) throw new ProofError(`The tile has ${bytes.length} bytes, not ${width} hashes.`)
  return Array.from({ length: width }, (_, at) => bytes.slice(at * 32, at * 32 + 32))
}

/** Encodes a bundle of entries, each after its length in two bytes. */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  return concat(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 255), entry]))
}

/** Splits a bundle into its entries. @throws {ProofError} if the bytes are not `width` entries. */
export function decodeEntries(bytes: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const size = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    const end = at + 2 + size
    if (end > bytes.length) throw new ProofError('The last entry of the bundle is too short.')
    entries.push(bytes.slice(at + 2, end))
    at = end
  }
  if (entries.length !== width) throw new ProofError(`The bundle has ${entries.length} entries, not ${width}.`)
  return entries
}

/** Reads a log's hashes from its tiles. */
export type HashReader = {
  /** The root of the first `size` leaves. */
  root(size: number): Promise<Uint8Array>
  inclusionPath(index: number, size: number): Promise<Uint8Array[]>
  consistencyPath(from: number, size: number): Promise<Uint8Array[]>
}

/**
 * Creates a reader of a tree of at least `treeSize` leaves, which reads each tile at most once. The hashes are as true as
 * the tiles: verify what it returns, or use {@link createTreeReader}.
 *
 * @param readTile reads the bytes of a tile of the tree of `treeSize` leaves.
 */
export function createHashReader(treeSize: number, readTile: (tile: Tile) => Promise<Uint8Array>): HashReader {
  const tiles = new Map<string, Promise<Uint8Array[]>>()
  return readHashes((level, index) => {
    const tile: Tile = { level, index, width: widthOf(level, index, treeSize) }
    const path = tilePath(tile)
    const known = tiles.get(path) ?? readTile(tile).then((bytes) => decodeTile(bytes, tile.width))
    tiles.set(path, known)
    return known
  })
}

/** Reads a tree whose root is known. */
export type TreeReader = HashReader & {
  /** The entries from index `from` up to, but without, index `to`. */
  entries(from: number, to: number): Promise<Uint8Array[]>
}

/**
 * Creates a reader that trusts only a tree's root: it verifies every tile and entry with it. Its memory does not grow with
 * the tree. Each method rejects with a {@link ProofError} if a tile or an entry is not the tree's, or the tree is too small.
 *
 * @param readTile reads the bytes of a tile, or of a bundle of entries, of this tree. Its errors are passed on.
 */
export function createTreeReader({ size, root }: TreeHead, readTile: (tile: Tile) => Promise<Uint8Array>): TreeReader {
  const tiles = new Map<string, Promise<Uint8Array[]>>()
  const cached = (name: string, read: () => Promise<Uint8Array[]>) => {
    const known = tiles.get(name) ?? read()
    tiles.delete(name)
    tiles.set(name, known)
    const [oldest] = tiles.keys()
    if (tiles.size > maxCachedTiles && oldest !== undefined) tiles.delete(oldest)
    known.catch(() => tiles.delete(name))
    return known
  }
  const readHashesOf = async (tile: Tile) => decodeTile(await readTile(tile), tile.width)
  /** The partial tiles, one of each level. Together, they determine the root. */
  let edge: Promise<Uint8Array[][]> | undefined
  const readEdge = async () => {
    const levels: Promise<Uint8Array[]>[] = []
    for (let level = 0; tileWidth ** level <= size; level += 1) {
      const index = Math.floor(size / tileWidth ** (level + 1))
      const width = widthOf(level, index, size)
      levels.push(width === 0 ? Promise.resolve([]) : readHashesOf({ level, index, width }))
    }
    const hashes = await Promise.all(levels)
    const subtrees = hashes.map((tile, level) => tile.map((hash) => ({ leaves: tileWidth ** level, hash })))
    if (!areEqual(rootOfSubtrees(subtrees.reverse().flat()), root))
      throw new ProofError(`The tiles do not match the root of the tree of ${size} leaves.`)
    return hashes
  }
  const hashesOf = async (level: number, index: number): Promise<Uint8Array[]> => {
    const width = widthOf(level, index, size)
    if (width < tileWidth) {
      edge ??= readEdge()
      edge.catch(() => {
        edge = undefined
      })
      return (await edge)[level] ?? []
    }
    const tile: Tile = { level, index, width }
    return cached(tilePath(tile), async () => {
      const expected = await rootOfTile(level, index)
      const hashes = await readHashesOf(tile)
      if (!areEqual(rootOf(hashes), expected)) throw new ProofError(`The tile ${tilePath(tile)} was changed.`)
      return hashes
    })
  }
  /** The root of a full tile, which is a hash of the level above. */
  const rootOfTile = async (level: number, index: number) =>
    (await hashesOf(level + 1, Math.floor(index / tileWidth)))[index % tileWidth] as Uint8Array
  const readBundle = async (index: number): Promise<Uint8Array[]> => {
    const tile: Tile = { level: 'entries', index, width: widthOf(0, index, size) }
    const expected = tile.width === tileWidth ? await rootOfTile(0, index) : rootOf(await hashesOf(0, index))
    const entries = decodeEntries(await readTile(tile), tile.width)
    if (!areEqual(rootOf(entries.map(hashLeaf)), expected))
      throw new ProofError(`The entries of ${tilePath(tile)} were changed.`)
    return entries
  }
  const limited = (isInside: boolean, message: string) => {
    if (!isInside) throw new ProofError(`The tree of ${size} leaves has no ${message}.`)
  }
  const { inclusionPath, consistencyPath, root: readRoot } = readHashes(hashesOf)
  return {
    async root(of) {
      limited(of <= size, `prefix of ${of}`)
      return readRoot(of)
    },
    async inclusionPath(index, of) {
      limited(index < of && of <= size, `leaf ${index} in its first ${of}`)
      return inclusionPath(index, of)
    },
    async consistencyPath(from, of) {
      limited(from <= of && of <= size, `prefix of ${from} in its first ${of}`)
      return consistencyPath(from, of)
    },
    async entries(from, to) {
      limited(from <= to && to <= size, `entries from ${from} to ${to}`)
      const first = Math.floor(from / tileWidth)
      const entries: Uint8Array[] = []
      for (let index = first; index * tileWidth < to; index += parallelBundles) {
        const count = Math.min(parallelBundles, Math.ceil(to / tileWidth) - index)
        const bundles = await Promise.all(Array.from({ length: count }, (_, at) => readBundle(index + at)))
        for (const bundle of bundles) entries.push(...bundle)
      }
      return entries.slice(from - first * tileWidth, to - first * tileWidth)
    },
  }
}

function readHashes(hashesOf: (level: number, index: number) => Promise<Uint8Array[]>): HashReader {
  /** The root of the subtree of leaves from `start` to `end`, which RFC 6962 splits at powers of two. */
  const subtree = async (start: number, end: number): Promise<Uint8Array> => {
    const size = end - start
    if (size === 0) return rootOf([])
    const height = Math.log2(size)
    if (!Number.isInteger(height)) {
      const split = start + 2 ** Math.floor(height)
      return hashNode(await subtree(start, split), await subtree(split, end))
    }
    const level = Math.floor(height / 8)
    const first = start / tileWidth ** level
    const count = 2 ** (height % 8)
    const hashes = await hashesOf(level, Math.floor(first / tileWidth))
    return rootOf(hashes.slice(first % tileWidth, (first % tileWidth) + count))
  }
  const splitOf = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1)
  const include = async (index: number, start: number, end: number): Promise<Uint8Array[]> => {
    if (end - start <= 1) return []
    const split = start + splitOf(end - start)
    return index < split
      ? [...(await include(index, start, split)), await subtree(split, end)]
      : [...(await include(index, split, end)), await subtree(start, split)]
  }
  const prove = async (from: number, start: number, end: number, isWhole: boolean): Promise<Uint8Array[]> => {
    if (from === end) return isWhole ? [] : [await subtree(start, end)]
    const split = start + splitOf(end - start)
    return from <= split
      ? [...(await prove(from, start, split, isWhole)), await subtree(split, end)]
      : [...(await prove(from, split, end, false)), await subtree(start, split)]
  }
  return {
    root: (size) => subtree(0, size),
    inclusionPath: (index, size) => include(index, 0, size),
    consistencyPath: async (from, size) => (from === 0 ? [] : prove(from, 0, size, true)),
  }
}
