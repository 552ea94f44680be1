import type { Hex } from 'viem'
import { concat, fromBase64, toBase64, utf8 } from '../src/bytes.ts'
import { checkpointText, type Policy, verifyCheckpoint } from '../src/checkpoint.ts'
import { verifyLogProof } from '../src/logProof.ts'
import { cosignedText, parseKey } from '../src/note.ts'
import { ProofError } from '../src/proofError.ts'
import type { Opening } from '../src/proofFile.ts'
import { hashReceipt, type Receipt, recoverReceipt } from '../src/receipt.ts'
import { decodeRecord, encodeRecord } from '../src/record.ts'
import * as structures from '../src/structures.ts'
import { createHashReader, decodeEntries, type Tile, tilePath, widthOf } from '../src/tiles.ts'
import { hashLeaf, hashSalted, rootOf, rootOfInclusion, verifyConsistency } from '../src/tree.ts'
import { verifyProof } from '../src/verifyProof.ts'

// Runs in browsers, Node, Bun and Deno.

/** `docs/vectors/proofs.json`. Bytes are base64; hashes of receipts, addresses and private keys are hex. */
export type Vectors = {
  keys: {
    log: { seed: string; key: string }
    witness: { seed: string; key: string }
    receipts: { privateKey: string; address: string }
  }
  records: readonly { kind: number; fields: Readonly<Record<string, unknown>>; bytes: string }[]
  transcript: { secret: string; leaves: readonly (Opening & { hash: string })[]; root: string }
  /** Trees whose leaves are the decimal texts of their indices. */
  trees: readonly {
    size: number
    root: string
    /** By leaf. */
    inclusionPaths: readonly (readonly string[])[]
    /** By size of the older tree. */
    consistencyPaths: readonly (readonly string[])[]
  }[]
  log: {
    origin: string
    size: number
    root: string
    checkpoint: string
    /** When the witness cosigned, in Unix seconds, and the text that it signed. */
    cosignedAt: number
    cosignedText: string
    older: { size: number; root: string }
    consistencyPath: readonly string[]
    tiles: readonly TileVector[]
  }
  logProof: LogProofVector
  receipts: readonly { batchRoot: Hex; digest: Hex; receipt: Receipt }[]
  /** A proof file of each type. */
  files: readonly string[]
  /** Inputs that a verifier must refuse, and this package's reasons. */
  mutations: readonly (Mutation & { reason: string })[]
}
type TileVector = { path: string; bytes: string }
type LogProofVector = { entry: string; text: string }

/** A changed input. */
export type Mutation = { what: string } & (
  | { of: 'record'; input: string }
  | { of: 'tile'; input: TileVector }
  | { of: 'checkpoint'; input: string }
  | { of: 'logProof'; input: LogProofVector }
  | { of: 'receipt'; input: Receipt }
  | { of: 'file'; input: string }
)

/** What the checks of single inputs need. */
export type Given = Pick<Vectors, 'keys' | 'log'>

/** Checks everything that the vectors claim. @throws {Error} at the first claim that is false. */
export async function checkVectors(vectors: Vectors): Promise<void> {
  const { records, transcript, trees, log, logProof, receipts, files, mutations } = vectors
  for (const { kind, fields, bytes } of records) {
    const { layout } = kindOf(kind)
    require(toJson(decodeRecord(kind, layout, decode(bytes))) === toJson(fields), `record of kind ${kind}`)
  }
  const hashes = transcript.leaves.map(({ salt, record }) => hashSalted(decode(salt), decode(record)))
  require(hashes.map(toBase64).join() === transcript.leaves.map(({ hash }) => hash).join(), 'leaves of the transcript')
  require(toBase64(rootOf(hashes)) === transcript.root, 'root of the transcript')
  for (const tree of trees) checkTree(tree)
  const newer = { size: log.size, root: decode(log.root) }
  verifyConsistency({ size: log.older.size, root: decode(log.older.root) }, newer, log.consistencyPath.map(decode))
  const text = checkpointText({ origin: log.origin, ...newer })
  require(log.checkpoint.startsWith(text) && cosignedText(text, log.cosignedAt) === log.cosignedText, 'signed texts')
  for (const { batchRoot, digest, receipt } of receipts) {
    require(hashReceipt({ log: receipt.log, batchRoot, mergeBy: receipt.mergeBy }) === digest, 'digest of a receipt')
  }
  const valid: Mutation[] = [
    ...records.map(({ bytes }) => ({ of: 'record', what: 'a record', input: bytes }) as const),
    ...log.tiles.map((input) => ({ of: 'tile', what: 'a tile', input }) as const),
    { of: 'checkpoint', what: 'the checkpoint', input: log.checkpoint },
    { of: 'logProof', what: 'the proof of an entry', input: logProof },
    ...receipts.map(({ receipt }) => ({ of: 'receipt', what: 'a receipt', input: receipt }) as const),
    ...files.map((input) => ({ of: 'file', what: 'a file', input }) as const),
  ]
  for (const input of valid) require((await refusalOf(vectors, input)) === null, input.what)
  for (const { reason, ...input } of mutations) require((await refusalOf(vectors, input)) === reason, input.what)
}

/** Verifies an input. @returns null if it is valid, or why it is refused. */
export async function refusalOf(given: Given, input: Mutation): Promise<string | null> {
  try {
    return await verifyInput(given, input)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return error.message
  }
}

async function verifyInput(given: Given, { of, input }: Mutation): Promise<string | null> {
  const policy = policyOf(given)
  switch (of) {
    case 'record': {
      const bytes = decode(input)
      const { kind, layout } = kindOf(bytes[0])
      encodeRecord(kind, layout, decodeRecord(kind, layout, bytes))
      return null
    }
    case 'tile':
      await verifyTiles(given, input)
      return null
    case 'checkpoint':
      await verifyCheckpoint(input, policy)
      return null
    case 'logProof':
      await verifyLogProof(input.text, fromBase64(input.entry, 'The entry'), policy)
      return null
    case 'receipt': {
      const { signer, leaf } = await recoverReceipt(input)
      const { kind, layout } = kindOf(leaf[0])
      decodeRecord(kind, layout, leaf)
      if (input.log !== given.log.origin) throw new ProofError('The receipt is of another log.')
      if (signer.toLowerCase() === given.keys.receipts.address) return null
      throw new ProofError("The receipt is not signed by the log's key.")
    }
    case 'file': {
      const verdict = await verifyProof(input, policy)
      return verdict.isValid ? null : verdict.reason
    }
  }
}

/** The policy of the vectors: their log, and their witness. */
export function policyOf({ keys }: Pick<Vectors, 'keys'>): Policy {
  return { log: parseKey(keys.log.key), witnesses: [parseKey(keys.witness.key)], quorum: 1 }
}

/** The tile of hashes of each bundle that was hashed before. */
const hashed = new WeakMap<TileVector, { hashes: Uint8Array[]; bytes: string }>()

function hashEntries(bundle: TileVector, width: number) {
  const hashes = decodeEntries(fromBase64(bundle.bytes, `The tile ${bundle.path}`), width).map(hashLeaf)
  const tile = { hashes, bytes: toBase64(concat(...hashes)) }
  hashed.set(bundle, tile)
  return tile
}

/** Verifies all tiles against the log's root, with one of them replaced. */
async function verifyTiles({ log }: Given, replaced: TileVector): Promise<void> {
  const find = (tile: Tile): TileVector => {
    const path = tilePath(tile)
    return [replaced, ...log.tiles].find((one) => one.path === path) ?? { path, bytes: '' }
  }
  const leaves: Uint8Array[] = []
  for (let index = 0; leaves.length < log.size; index += 1) {
    const tile = { index, width: widthOf(0, index, log.size) }
    const bundle = find({ ...tile, level: 'entries' })
    const { hashes, bytes } = hashed.get(bundle) ?? hashEntries(bundle, tile.width)
    if (bytes !== find({ ...tile, level: 0 }).bytes)
      throw new ProofError(`The tile ${index} does not have the hashes of its entries.`)
    leaves.push(...hashes)
  }
  const reader = createHashReader(log.size, async (tile) => fromBase64(find(tile).bytes, `The tile ${tilePath(tile)}`))
  const root = await reader.root(log.size)
  if (toBase64(root) !== log.root || toBase64(rootOf(leaves)) !== log.root)
    throw new ProofError("The tiles do not match the log's root.")
}

function checkTree({ size, root, inclusionPaths, consistencyPaths }: Vectors['trees'][number]): void {
  const hashes = Array.from({ length: size }, (_, index) => hashLeaf(utf8(String(index))))
  require(toBase64(rootOf(hashes)) === root, `root of ${size} leaves`)
  for (const [index, path] of inclusionPaths.entries()) {
    const implied = rootOfInclusion(hashes[index] ?? new Uint8Array(), index, size, path.map(decode))
    require(toBase64(implied) === root, `path of leaf ${index} of ${size}`)
  }
  for (const [from, path] of consistencyPaths.entries()) {
    verifyConsistency(
      { size: from, root: rootOf(hashes.slice(0, from)) },
      { size, root: decode(root) },
      path.map(decode),
    )
  }
}

/** @throws {ProofError} if no record has this first byte. */
export function kindOf(kind: number | undefined): structures.RecordKind {
  const kinds = Object.values(structures).filter(
    (value): value is structures.RecordKind & typeof value => 'kind' in value,
  )
  const found = kinds.find((one) => one.kind === kind)
  if (!found) throw new ProofError('The record is of an unknown kind.')
  return found
}

/** A record's fields as the vectors show them. */
export function toJson(fields: unknown): string {
  return JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

function decode(text: string): Uint8Array {
  return fromBase64(text, 'A vector')
}

function require(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`The vectors are wrong about ${what}.`)
}
