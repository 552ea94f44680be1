import { describe, expect, test } from '@jest/globals'
import { concat, utf8 } from './bytes.ts'
import { createHashReader, decodeEntries, encodeEntries, parseTilePath, type Tile, tilePath, widthOf } from './tiles.ts'
import { consistencyPath, hashLeaf, inclusionPath, rootOf } from './tree.ts'

describe('tilePath and parseTilePath', () => {
  test.each<[string, Tile]>([
    ['tile/0/000', { level: 0, index: 0, width: 256 }],
    ['tile/1/x001/x234/067', { level: 1, index: 1_234_067, width: 256 }],
    ['tile/entries/999.p/1', { level: 'entries', index: 999, width: 1 }],
    ['tile/63/x001/000.p/255', { level: 63, index: 1_000, width: 255 }],
  ])('default: %s', (path, tile) => {
    expect(tilePath(tile)).toBe(path)
    expect(parseTilePath(path)).toEqual(tile)
  })

  test.each([
    'tile/0/0',
    'tile/00/000',
    'tile/0/x000/001',
    'tile/0/001/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000/',
    'tile/100/000',
    '/tile/0/000',
    `tile/0/${'x001/'.repeat(6)}000`,
  ])('error: %s names no tile', (path) => {
    expect(parseTilePath(path)).toBeNull()
  })
})

describe('widthOf', () => {
  // The specification's example of a tree of 70,000 leaves.
  test.each([
    [0, 272, 256],
    [0, 273, 112],
    [0, 274, 0],
    [1, 0, 256],
    [1, 1, 17],
    [2, 0, 1],
    [3, 0, 0],
  ])('default: level %d, tile %d has %d hashes', (level, index, width) => {
    expect(widthOf(level, index, 70_000)).toBe(width)
  })
})

describe('encodeEntries and decodeEntries', () => {
  test('default', () => {
    const entries = [utf8('one'), new Uint8Array(), new Uint8Array(65_535)]
    expect(decodeEntries(encodeEntries(entries), 3)).toEqual(entries)
  })

  test.each([
    [[0, 1], 1],
    [[0], 1],
    [[0, 1, 7], 2],
    [[], 1],
  ])('error: %j are not %d entries', (bytes, width) => {
    expect(() => decodeEntries(Uint8Array.from(bytes), width)).toThrow('bundle')
  })
})

describe('createHashReader', () => {
  const size = 70_000
  const leaves = Array.from({ length: size }, (_, index) => hashLeaf(utf8(String(index))))
  const levels = [leaves]
  for (let level = 0; level < 2; level += 1) {
    const below = levels[level] ?? []
    const full = Math.floor(below.length / 256)
    levels.push(Array.from({ length: full }, (_, index) => rootOf(below.slice(index * 256, index * 256 + 256))))
  }
  const create = () => {
    const read: string[] = []
    const reader = createHashReader(size, async (tile) => {
      read.push(tilePath(tile))
      const hashes = levels[Number(tile.level)]?.slice(tile.index * 256, tile.index * 256 + tile.width) ?? []
      return concat(...hashes)
    })
    return { read, reader }
  }

  test.each([0, 1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999, 70_000])(
    'default: the root of %d leaves',
    async (of) => {
      expect(await create().reader.root(of)).toEqual(rootOf(leaves.slice(0, of)))
    },
  )

  test.each([255, 65_536, 69_999])('default: the path of leaf %d', async (index) => {
    const { read, reader } = create()
    expect(await reader.inclusionPath(index, size)).toEqual(inclusionPath(leaves, index))
    // Each tile is read once.
    expect(read).toHaveLength(new Set(read).size)
    expect(read.length).toBeLessThanOrEqual(5)
  })

  test.each([0, 300, 65_536, 70_000])('default: consistency with the first %d leaves', async (from) => {
    expect(await create().reader.consistencyPath(from, size)).toEqual(consistencyPath(leaves, from))
  })

  test('error: a tile of another width', async () => {
    const reader = createHashReader(3, async () => new Uint8Array(64))
    await expect(reader.root(3)).rejects.toThrow('The tile has 64 bytes, not 3 hashes.')
  })
})
