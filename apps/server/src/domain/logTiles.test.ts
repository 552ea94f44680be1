import { hashLeaf, rootOf } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { createRandomInteger } from '../../test/randomQuotes.ts'
import { addLeaves, frontierOf, type PlacedTile, rootOfFrontier } from './logTiles.ts'

const entryOf = (index: number) => Buffer.from(`entry ${index}`)

describe('addLeaves', () => {
  const seed = Date.now()

  test(`behavior: any batches give the root and tiles of RFC 6962 (seed ${seed})`, () => {
    const random = createRandomInteger(seed)
    const tiles = new Map<string, PlacedTile>()
    const leaves: Uint8Array[] = []
    let frontier: PlacedTile[] = []
    const sizes = new Set<number>()
    // Reaches three levels, and full tiles exactly.
    while (leaves.length < 70_000) {
      const toFull = 256 - (leaves.length % 256)
      const size = [1 + random(5), toFull, 1 + random(2_000), 4_096][random(4)] ?? 1
      const entries = Array.from({ length: size }, (_, at) => entryOf(leaves.length + at))
      leaves.push(...entries.map(hashLeaf))
      const added = addLeaves(frontier, entries)
      for (const tile of added.changed) tiles.set(`${tile.level} ${tile.position}`, tile)
      expect(added.frontier.map(({ level, position, hashes }) => ({ level, position, width: hashes.length }))).toEqual(
        frontierOf(leaves.length),
      )
      // The stored tiles alone continue the tree, as after a restart.
      frontier = frontierOf(leaves.length).map(({ width, ...place }) => ({
        ...place,
        hashes: tiles.get(`${place.level} ${place.position}`)?.hashes.slice(0, width) ?? [],
      }))
      sizes.add(leaves.length % 256)
      if (random(100) === 0) expect(rootOfFrontier(frontier)).toEqual(rootOf(leaves))
    }
    expect(rootOfFrontier(frontier)).toEqual(rootOf(leaves))
    expect(sizes).toContain(0)
    const [tile] = [tiles.get('1 0')]
    expect(tile?.hashes[1]).toEqual(rootOf(leaves.slice(256, 512)))
    expect(tiles.get('0 3')?.hashes).toEqual(leaves.slice(768, 1_024))
    expect(tiles.get('2 0')?.hashes).toEqual([rootOf(leaves.slice(0, 65_536))])
  })

  test('default: an empty tree has the root of nothing', () => {
    expect(frontierOf(0)).toEqual([])
    expect(rootOfFrontier([])).toEqual(rootOf([]))
    expect(addLeaves([], [])).toEqual({ changed: [], frontier: [] })
  })
})
