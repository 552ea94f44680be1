import { createHash, createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { chooseQuotes, hashQuote, quoteTypedData, type SignedQuote, serializeSignedQuote } from '@firmquote/core'
import { type Address, bytesToHex, type Hex, hexToBytes, numberToHex, sha256 } from 'viem'
import { privateKeyToAccount, sign as signHash } from 'viem/accounts'
import { concat, toBase64, utf8 } from '../src/bytes.ts'
import { checkpointText } from '../src/checkpoint.ts'
import { formatLogProof } from '../src/logProof.ts'
import { cosignedText, formatKey, formatNote, keyIdOf, keyTypes, type NoteKey } from '../src/note.ts'
import type { AuctionProof, Opening, ProvenEntry } from '../src/proofFile.ts'
import { buildBatch, hashReceipt, type Receipt } from '../src/receipt.ts'
import { encodeRecord, type RecordOf } from '../src/record.ts'
import * as structures from '../src/structures.ts'
import { consistencyPath, hashLeaf, hashSalted, inclusionPath, rootOf } from '../src/tree.ts'
import { selectionVersion } from '../src/verifyProof.ts'

const market = { chainId: 8453, quoteMarket: `0x${'51'.repeat(20)}` as Address }
const origin = 'rfq.example.com/log/1'
const bytes32 = (byte: string) => `0x${byte.repeat(32)}` as Hex

/** An Ed25519 key that signs notes. */
export type NoteSigner = { key: NoteKey; privateKey: KeyObject }

/** Creates a key. With a seed of 32 bytes, always the same one. */
export function createNoteSigner(name: string, type: NoteKey['type'], seed?: Uint8Array): NoteSigner {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = seed
    ? createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
    : generateKeyPairSync('ed25519').privateKey
  const { x = '' } = privateKey.export({ format: 'jwk' })
  return { key: { name, type, publicKey: Buffer.from(x, 'base64url') }, privateKey }
}

/** A signature line of a note; a witness signs at `time`, in Unix seconds. */
export function signNote({ key, privateKey }: NoteSigner, text: string, time?: number) {
  const signed = time === undefined ? text : cosignedText(text, time)
  const stamp = time === undefined ? new Uint8Array() : hexToBytes(numberToHex(time, { size: 8 }))
  return {
    name: key.name,
    keyId: keyIdOf(key),
    signature: concat(stamp, sign(null, utf8(signed), privateKey)),
  }
}

/** A log in memory, with its signers. */
export function createLog() {
  const seedOf = (index: number) => new Uint8Array(32).fill(index)
  const log = createNoteSigner(origin, keyTypes.log, seedOf(1))
  const witness = createNoteSigner('witness.example.com/w1', keyTypes.witness, seedOf(2))
  const receiptKey = bytes32('03')
  const entries: Uint8Array[] = []
  const hashes: Uint8Array[] = []
  const append = (entry: Uint8Array): number => hashes.push(hashLeaf(entry)) && entries.push(entry) - 1
  const headOf = (size: number) => ({ origin, size, root: rootOf(hashes.slice(0, size)) })
  const checkpoint = (time: number, size = entries.length, head = headOf(size)) => {
    const text = checkpointText(head)
    return formatNote({ text, signatures: [signNote(log, text), signNote(witness, text, time)] })
  }
  const prove = (index: number, time = 1_900_000_000, size = entries.length): ProvenEntry => {
    const path = inclusionPath(hashes.slice(0, size), index)
    const proof = formatLogProof({ index, path, checkpoint: checkpoint(time, size) })
    return { record: toBase64(entries[index] as Uint8Array), proof }
  }
  const { kind, layout } = structures.keyEntry
  const signer = privateKeyToAccount(receiptKey).address.toLowerCase() as Address
  append(encodeRecord(kind, layout, { signer, at: 1_800_000_000_000n }))

  /** Signs a batch of one to many records and returns their receipts. */
  const receipts = async (
    records: readonly Uint8Array[],
    mergeBy: number,
    privateKey = receiptKey,
  ): Promise<Receipt[]> => {
    const salts = records.map((record) => createHash('md5').update(record).digest())
    const { root, paths } = buildBatch(records.map((record, at) => hashSalted(salts[at] as Buffer, record)))
    const hash = hashReceipt({ log: origin, batchRoot: bytesToHex(root), mergeBy })
    const signature = await signHash({ hash, privateKey, to: 'hex' })
    return records.map((leaf, index) => ({
      ...{ log: origin, mergeBy, signature, index },
      path: (paths[index] ?? []).map(toBase64),
      salt: toBase64(salts[index] as Buffer),
      leaf: toBase64(leaf),
    }))
  }
  return {
    ...{ entries, hashes, append, checkpoint, prove, receipts, receiptKey, origin, log, witness },
    keys: [formatKey(log.key), formatKey(witness.key)],
    consistencyPath: (from: number) => consistencyPath(hashes, from),
  }
}

/** The transcript's last leaf. */
type Result = RecordOf<typeof structures.closeLeaf.layout>
export type TestLog = ReturnType<typeof createLog>

/** Appends entries of other auctions: openings at even indices, and closes at odd ones. */
export function fillLog(log: TestLog, count: number): void {
  const { openEntry, closeEntry } = structures
  for (let index = 0; index < count; index += 1) {
    const hash = (of: string): Hex => sha256(utf8(`${of} of auction ${index - (index % 2)}`))
    const publicRfqId = `0x${hash('id').slice(2, 34)}` as const
    const [openedAt, closesAt, closedAt] = [1_800_000_000_000n, 1_800_000_015_000n, 1_800_000_015_000n]
    log.append(
      index % 2 === 0
        ? encodeRecord(openEntry.kind, openEntry.layout, { publicRfqId, openedAt, closesAt, openLeaf: hash('opening') })
        : encodeRecord(closeEntry.kind, closeEntry.layout, { publicRfqId, closedAt, count: 2, root: hash('root') }),
    )
  }
}

/** The hash of a transcript's leaf. */
export function hashOf({ salt, record }: Opening): Uint8Array {
  return hashSalted(Buffer.from(salt, 'base64'), Buffer.from(record, 'base64'))
}

/** Runs an auction with quotes of these prices, and appends its entries. Each quote has a notional of 1,000. */
export async function runAuction(
  log: TestLog,
  prices: readonly bigint[],
  options: { id?: string; drop?: number; foreign?: number; at?: bigint; result?: Partial<Result> } = {},
) {
  const publicRfqId = `0x${(options.id ?? 'ab').repeat(16)}` as const
  const secret = createHash('sha256').update(publicRfqId).digest()
  const openingOf = (index: number, record: Uint8Array): Opening => ({
    salt: createHmac('sha256', secret)
      .update(hexToBytes(numberToHex(index, { size: 4 })))
      .digest()
      .subarray(0, 16)
      .toString('base64'),
    record: toBase64(record),
  })
  const openedAt = options.at ?? 1_899_999_900_000n
  const closesAt = openedAt + 15_000n
  const terms = { poolId: bytes32('11'), seriesKey: bytes32('22') }
  const open = openingOf(
    0,
    encodeRecord(structures.openLeaf.kind, structures.openLeaf.layout, {
      ...terms,
      ...{ expiry: 1_910_000_000n, notional: 2_000n, minNotional: 100n, minDeadline: 1_900_000_000n },
      ...{ flags: structures.openFlags.maxVrtAmount, maxVrtAmount: 900n, taker: `0x${'00'.repeat(20)}` as const },
      ...{ openedAt, closesAt, backers: prices.length },
    }),
  )
  const openIndex = log.append(
    encodeRecord(structures.openEntry.kind, structures.openEntry.layout, {
      ...{ publicRfqId, openedAt, closesAt, openLeaf: bytesToHex(hashOf(open)) },
    }),
  )
  const quotes = await Promise.all(
    prices.map(async (vrtAmount, index): Promise<SignedQuote> => {
      const account = privateKeyToAccount(bytes32((index + 16).toString(16)))
      const quote = {
        maker: account.address.toLowerCase() as Address,
        taker: `0x${'00'.repeat(20)}` as const,
        ...{ ...terms, notional: 1_000n, vrtAmount, nonce: 0n, deadline: 1_900_000_100n, salt: bytes32('77') },
        ...(index === options.foreign && { seriesKey: bytes32('99') }),
      }
      return { ...quote, signature: await account.signTypedData(quoteTypedData(quote, market)) }
    }),
  )
  const leaves = quotes.map((quote, index) => ({
    ...{ seq: index + 1, hash: hashQuote(quote, market), signature: sha256(quote.signature), maker: quote.maker },
    ...{ arrival: openedAt * 1_000n + BigInt(index), blockNumber: 40_000_000n, blockHash: bytes32('33'), unproven: 0 },
  }))
  const encoded = leaves.map((leaf) => encodeRecord(structures.quoteLeaf.kind, structures.quoteLeaf.layout, leaf))
  const openings = encoded.map((record, index) => openingOf(index + 1, record))
  const promised = leaves.map(({ seq, hash, maker }, index) =>
    encodeRecord(structures.acceptedLeaf.kind, structures.acceptedLeaf.layout, {
      ...{ publicRfqId, hash, maker, receivedAt: openedAt, seq, leaf: bytesToHex(hashOf(openings[index] as Opening)) },
    }),
  )
  const receipts = await log.receipts(promised, 1_899_999_975)
  const best = chooseQuotes(
    quotes.map((quote, index) => ({ ...quote, hash: leaves[index]?.hash ?? '0x' })),
    { notional: 2_000n, maxVrtAmount: 900n },
  )
  const seqOf = (hash: Hex) => leaves.find((leaf) => leaf.hash === hash)?.seq ?? 0
  const closing = openingOf(
    quotes.length + 1,
    encodeRecord(structures.closeLeaf.kind, structures.closeLeaf.layout, {
      ...{ closedAt: closesAt, rejectedCount: 0, interrupted: 0, selection: selectionVersion },
      ranking: [...quotes.keys()]
        .sort((a, b) => Number((prices[a] ?? 0n) - (prices[b] ?? 0n)) || a - b)
        .map((at) => at + 1),
      ...{ best: best.quotes.map(({ hash }) => seqOf(hash)), notional: best.notional, cost: best.cost },
      ...options.result,
    }),
  )
  const all = [open, ...openings, closing].filter((_, index) => index !== options.drop)
  const transcript = all.map(hashOf)
  const close = () =>
    log.append(
      encodeRecord(structures.closeEntry.kind, structures.closeEntry.layout, {
        ...{ publicRfqId, closedAt: closesAt, count: all.length, root: bytesToHex(rootOf(transcript)) },
      }),
    )
  const auctionProof = (closeIndex: number): AuctionProof => ({
    ...{ type: 'auction', keys: log.keys, market, open: log.prove(openIndex), close: log.prove(closeIndex) },
    ...{ leaves: all, quotes: quotes.map(serializeSignedQuote) },
  })
  return { openIndex, close, auctionProof, receipts, openings, transcript, publicRfqId, leaves, all, secret }
}
