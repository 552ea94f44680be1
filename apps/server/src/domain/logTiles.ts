import { hashLeaf, rootOf } from '@firmquote/verify'

// A log's tiles, as in c2sp.org/tlog-tiles: a level's hashes are the roots of complete subtrees of 256^level leaves.

/** Number of hashes in a full tile. */
export const tileWidth = 256

/** A tile's level and its position in the level. */
export type TilePlace = { level: number; position: number }

/** A tile's hashes, as many as the tree has. */
export type PlacedTile = TilePlace & { hashes: readonly Uint8Array[] }

/**
 * The rightmost partial tile of each level, lowest first, of a tree of `size` leaves. The last one may be the only hash
 * of its level. Together they determine the root.
 */
export function frontierOf(size: number): (TilePlace & { width: number })[] {
  const places: (TilePlace & { width: number })[] = []
  for (let [level, count] = [0, size]; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    places.push({ level, position: Math.floor(count / tileWidth), width: count % tileWidth })
  }
  return places
}

/** The root of the tree with this frontier, lowest level first. */
export function rootOfFrontier(frontier: readonly { hashes: readonly Uint8Array[] }[]): Uint8Array {
  // The subtree that is not complete follows the complete ones of the next level.
  let rest: Uint8Array[] = []
  for (const { hashes } of frontier) {
    const nodes = [...hashes, ...rest]
    rest = nodes.length === 0 ? [] : [rootOf(nodes)]
  }
  return rest[0] ?? rootOf([])
}

/**
 * Adds entries to a tree.
 *
 * @param frontier the tree's {@link frontierOf} with hashes, lowest level first.
 * @returns all changed tiles, and the new frontier.
 */
export function addLeaves(
  frontier: readonly PlacedTile[],
  entries: readonly Uint8Array[],
): { changed: PlacedTile[]; frontier: PlacedTile[] } {
  const changed: PlacedTile[] = []
  const next: PlacedTile[] = []
  let added = entries.map(hashLeaf)
  for (let level = 0; added.length > 0 || level < frontier.length; level += 1) {
    let { position, hashes } = frontier[level] ?? { position: 0, hashes: [] }
    const nodes = [...hashes, ...added]
    const parents: Uint8Array[] = []
    for (let at = 0; at < nodes.length; at += tileWidth) {
      hashes = nodes.slice(at, at + tileWidth)
      if (added.length > 0) changed.push({ level, position, hashes })
      if (hashes.length < tileWidth) break
      parents.push(rootOf(hashes))
      position += 1
      hashes = []
    }
    next.push({ level, position, hashes })
    added = parents
  }
  return { changed, frontier: next }
}
