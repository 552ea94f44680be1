/**
 * Measures a log's tiles on disk. Each command prints its result as JSON.
 *
 *   bigLog.ts build FOLDER SIZE   writes all tiles, and the tree's levels from 256 leaves up
 *   bigLog.ts prove FOLDER SIZE   reads the tiles of one path, and formats its proof
 *   bigLog.ts read FOLDER SIZE    reads and hashes all entries, as a new monitor does
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { areEqual, concat, toBase64, utf8 } from '../src/bytes.ts'
import { checkpointText, type Policy, verifyCheckpoint } from '../src/checkpoint.ts'
import { formatLogProof, verifyLogProof } from '../src/logProof.ts'
import { formatNote, keyTypes } from '../src/note.ts'
import { encodeRecord } from '../src/record.ts'
import { closeEntry, quoteLeaf } from '../src/structures.ts'
import { createHashReader, decodeEntries, encodeEntries, type Tile, tilePath, widthOf } from '../src/tiles.ts'
import { hashLeaf, rootOf } from '../src/tree.ts'
import { createNoteSigner, signNote } from '../test/proofFixture.ts'

const [, , command = '', folder = '', sizeText = ''] = process.argv
const size = Number(sizeText)
const origin = 'rfq.example.com/log/1'
const log = createNoteSigner(origin, keyTypes.log, new Uint8Array(32).fill(1))
const witness = createNoteSigner('witness.example.com/w1', keyTypes.witness, new Uint8Array(32).fill(2))
const policy: Policy = { log: log.key, witnesses: [witness.key], quorum: 1 }
const checkpointFile = join(folder, 'checkpoint')

const read = (tile: Tile) => readFile(join(folder, tilePath(tile)))
function write(tile: Tile, bytes: Uint8Array): void {
  const path = join(folder, tilePath(tile))
  if (tile.index % 1_000 === 0 || tile.width < 256) mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

const template = encodeRecord(closeEntry.kind, closeEntry.layout, {
  ...{ publicRfqId: `0x${'ab'.repeat(16)}`, closedAt: 1_900_000_000_000n, count: 5, root: `0x${'cd'.repeat(32)}` },
})
/** A close with its index in the last bytes of its root. */
function entryOf(index: number): Uint8Array {
  const entry = template.slice()
  new DataView(entry.buffer).setUint32(entry.length - 4, index)
  return entry
}

async function build() {
  /** Roots of the full tiles of each level. */
  const levels: Uint8Array[][] = [[]]
  for (let index = 0; index * 256 < size; index += 1) {
    const width = widthOf(0, index, size)
    const entries = Array.from({ length: width }, (_, at) => entryOf(index * 256 + at))
    write({ level: 'entries', index, width }, encodeEntries(entries))
    const hashes = entries.map(hashLeaf)
    write({ level: 0, index, width }, concat(...hashes))
    if (width === 256) levels[0]?.push(rootOf(hashes))
  }
  for (let level = 1; widthOf(level, 0, size) > 0; level += 1) {
    const below = levels[level - 1] ?? []
    const roots: Uint8Array[] = []
    for (let index = 0; index * 256 < below.length; index += 1) {
      const hashes = below.slice(index * 256, index * 256 + 256)
      write({ level, index, width: hashes.length }, concat(...hashes))
      if (hashes.length === 256) roots.push(rootOf(hashes))
    }
    levels.push(roots)
  }
  const root = await createHashReader(size, read).root(size)
  const text = checkpointText({ origin, size, root })
  const signatures = [signNote(log, text), signNote(witness, text, 1_900_000_000)]
  writeFileSync(checkpointFile, formatNote({ text, signatures }))
}

async function prove() {
  const index = Math.floor(size / 3)
  let tiles = 0
  const reader = createHashReader(size, (tile) => {
    tiles += 1
    return read(tile)
  })
  const started = performance.now()
  const path = await reader.inclusionPath(index, size)
  const pathMs = performance.now() - started
  const proof = formatLogProof({ index, path, checkpoint: readFileSync(checkpointFile, 'utf8') })
  const verifyStarted = performance.now()
  await verifyLogProof(proof, entryOf(index), policy)
  const verifyMs = performance.now() - verifyStarted
  const leaf = encodeRecord(quoteLeaf.kind, quoteLeaf.layout, {
    ...{ seq: 2, hash: `0x${'11'.repeat(32)}`, signature: `0x${'22'.repeat(32)}`, maker: `0x${'33'.repeat(20)}` },
    ...{ arrival: 1_900_000_000_000_000n, blockNumber: 40_000_000n, blockHash: `0x${'44'.repeat(32)}`, unproven: 0 },
  })
  const opening = JSON.stringify({ salt: toBase64(new Uint8Array(16)), record: toBase64(leaf) })
  return { pathMs, verifyMs, tiles, hashes: path.length, proofBytes: utf8(proof).length, openingBytes: opening.length }
}

async function readAll() {
  const checkpoint = await verifyCheckpoint(readFileSync(checkpointFile, 'utf8'), policy)
  const roots: Uint8Array[] = []
  let rest: Uint8Array[] = []
  for (let index = 0; index * 256 < size; index += 1) {
    const width = widthOf(0, index, size)
    const hashes = decodeEntries(await read({ level: 'entries', index, width }), width).map(hashLeaf)
    if (width === 256) roots.push(rootOf(hashes))
    else rest = hashes
  }
  const reader = createHashReader(size, async ({ level, index, width }) => {
    if (level === 0) return concat(...rest)
    let hashes = roots
    for (let above = 1; above < Number(level); above += 1)
      hashes = Array.from({ length: Math.floor(hashes.length / 256) }, (_, at) =>
        rootOf(hashes.slice(at * 256, at * 256 + 256)),
      )
    return concat(...hashes.slice(index * 256, index * 256 + width))
  })
  const isSame = areEqual(await reader.root(size), checkpoint.root)
  if (!isSame || checkpoint.size !== size) throw new Error('The entries do not match the checkpoint.')
}

const started = performance.now()
const commands = { build, prove, read: readAll }
const result = await commands[command as keyof typeof commands]()
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
console.log(
  JSON.stringify({
    ...{ command, size, ...result, seconds: (performance.now() - started) / 1_000 },
    ...{ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMiB: maxRSS / 1_024 },
  }),
)
