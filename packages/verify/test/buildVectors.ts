import { createHash } from 'node:crypto'
import { bytesToHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { concat, fromBase64, toBase64, utf8 } from '../src/bytes.ts'
import { checkpointText } from '../src/checkpoint.ts'
import { cosignedText, formatKey, formatNote, keyTypes } from '../src/note.ts'
import { formatProof, type ProofFile } from '../src/proofFile.ts'
import { hashReceipt, type Receipt } from '../src/receipt.ts'
import { decodeRecord } from '../src/record.ts'
import { encodeEntries, type Tile, tilePath, widthOf } from '../src/tiles.ts'
import { consistencyPath, hashLeaf, hashSalted, inclusionPath, rootOf } from '../src/tree.ts'
import { kindOf, type Mutation, refusalOf, toJson, type Vectors } from './checkVectors.ts'
import { createProofFiles, itemOf, type ProofFiles, subtreesOf, withoutCosignature } from './proofFiles.ts'
import { createLog, createNoteSigner, fillLog, hashOf, runAuction, signNote, type TestLog } from './proofFixture.ts'

/** When the witness cosigned, in Unix seconds. */
const cosignedAt = 1_900_000_000
const mergeBy = 1_899_999_975

/** Builds `docs/vectors/proofs.json` from fixed keys. */
export async function buildVectors(): Promise<Vectors> {
  const log = createLog()
  // Two levels of tiles.
  fillLog(log, 270)
  const { files, auction, refusals, closeIndex } = await createProofFiles(log)
  const [size, older, root] = [log.entries.length, 256, rootOf(log.hashes)]
  const entry = itemOf(log.entries, closeIndex)
  const opened = itemOf(log.entries, auction.openIndex)
  const receipts = [
    // A batch of three, padded to four.
    ...auction.receipts,
    itemOf(refusals, 2),
    // A borrower's receipts, of batches of one.
    ...(await log.receipts([opened], mergeBy)),
    ...(await log.receipts([entry], mergeBy)),
  ]
  const records = [
    ...[opened, entry, itemOf(log.entries, 0)],
    ...[0, 1, 4].map((index) => decode(itemOf(auction.all, index).record)),
    ...[0, 3].map((index) => decode(itemOf(receipts, index).leaf)),
  ]
  const valid: Omit<Vectors, 'mutations'> = {
    keys: {
      log: { seed: `0x${'01'.repeat(32)}`, key: itemOf(log.keys, 0) },
      witness: { seed: `0x${'02'.repeat(32)}`, key: itemOf(log.keys, 1) },
      receipts: { privateKey: log.receiptKey, address: privateKeyToAccount(log.receiptKey).address.toLowerCase() },
    },
    records: records.map((bytes) => {
      const { kind, layout } = kindOf(bytes[0])
      return { kind, fields: JSON.parse(toJson(decodeRecord(kind, layout, bytes))), bytes: toBase64(bytes) }
    }),
    transcript: {
      secret: bytesToHex(auction.secret),
      leaves: auction.all.map((opening) => ({ ...opening, hash: toBase64(hashOf(opening)) })),
      root: toBase64(rootOf(auction.transcript)),
    },
    trees: [0, 1, 2, 3, 7, 8, 13].map(treeOf),
    log: {
      ...{ origin: log.origin, size, root: toBase64(root), checkpoint: log.checkpoint(cosignedAt), cosignedAt },
      cosignedText: cosignedText(checkpointText({ origin: log.origin, size, root }), cosignedAt),
      older: { size: older, root: toBase64(rootOf(log.hashes.slice(0, older))) },
      consistencyPath: log.consistencyPath(older).map(toBase64),
      tiles: tilesOf(log),
    },
    logProof: { entry: toBase64(entry), text: log.prove(closeIndex).proof },
    receipts: receipts.map((receipt) => {
      const batchRoot = bytesToHex(batchRootOf(receipt))
      return { batchRoot, digest: hashReceipt({ log: receipt.log, batchRoot, mergeBy: receipt.mergeBy }), receipt }
    }),
    files: Object.values(files).map(formatProof),
  }
  const mutations: Vectors['mutations'][number][] = []
  for (const mutation of await mutationsOf(log, files, valid)) {
    const reason = await refusalOf(valid, mutation)
    if (reason === null) throw new TypeError(`The verifier accepts ${mutation.what}.`)
    mutations.push({ ...mutation, reason })
  }
  return { ...valid, mutations }
}

function treeOf(size: number): Vectors['trees'][number] {
  const hashes = Array.from({ length: size }, (_, index) => hashLeaf(utf8(String(index))))
  return {
    ...{ size, root: toBase64(rootOf(hashes)) },
    inclusionPaths: hashes.map((_, index) => inclusionPath(hashes, index).map(toBase64)),
    consistencyPaths: [...hashes.keys(), size].map((from) => consistencyPath(hashes, from).map(toBase64)),
  }
}

function tilesOf({ entries, hashes }: TestLog): Vectors['log']['tiles'] {
  const roots = [rootOf(hashes.slice(0, 256))]
  const tile = (level: Tile['level'], index: number) => {
    const width = widthOf(level === 'entries' ? 0 : level, index, entries.length)
    const [from, to] = [index * 256, index * 256 + width]
    const bytes =
      level === 'entries'
        ? encodeEntries(entries.slice(from, to))
        : concat(...(level === 0 ? hashes : roots).slice(from, to))
    return { path: tilePath({ level, index, width }), bytes: toBase64(bytes) }
  }
  return [tile('entries', 0), tile('entries', 1), tile(0, 0), tile(0, 1), tile(1, 0)]
}

/** The root of a receipt's batch, computed from its path. */
function batchRootOf({ salt, leaf, index, path }: Receipt): Uint8Array {
  return path.reduce(
    (hash, sibling, height) => {
      const pair = [hash, decode(sibling)]
      if ((index >> height) % 2 === 1) pair.reverse()
      return createHash('sha256')
        .update(concat(Uint8Array.of(1), ...pair))
        .digest()
    },
    hashSalted(decode(salt), decode(leaf)),
  )
}

/** Changed inputs of each kind. */
async function mutationsOf(log: TestLog, files: ProofFiles, valid: Omit<Vectors, 'mutations'>): Promise<Mutation[]> {
  const { records, receipts, logProof } = valid
  const { checkpoint, tiles, size, root } = valid.log
  const record = (at: number) => decode(itemOf(records, at).bytes)
  const receipt = itemOf(receipts, 1).receipt
  const [text = '', logLine = '', witnessLine = ''] = checkpoint.trimEnd().split(/\n+(?=—)/)
  const [forged] = await log.receipts([decode(receipt.leaf)], mergeBy, strangersKey)
  const changedRecords: [string, Uint8Array][] = [
    ['one byte less', record(3).slice(0, -1)],
    ['one byte more', concat(record(3), Uint8Array.of(0))],
    ['an unknown kind', changeByte(record(3), 0, 0x40)],
    ['another kind', concat(Uint8Array.of(17), record(4).slice(1))],
    ['no bytes', new Uint8Array()],
    ['a list longer than the record', changeByte(record(5), 17, 0x80)],
    ['a code that is not ASCII', changeByte(record(7), 78, 0x80)],
  ]
  const changedCheckpoints: [string, string][] = [
    ['another size', edit(checkpoint, `\n${size}\n`, `\n${size + 1}\n`)],
    ['another root', edit(checkpoint, root, valid.log.older.root)],
    ['another origin', edit(checkpoint, '/log/1\n', '/log/2\n')],
    ['a leading zero', edit(checkpoint, `\n${size}\n`, `\n0${size}\n`)],
    ['a further line', edit(checkpoint, '\n\n', '\nextension\n\n')],
    ['no signature of the log', edit(checkpoint, `${logLine}\n`, '')],
    ['no cosignature', edit(checkpoint, `${witnessLine}\n`, '')],
    ['another time of the cosignature', edit(checkpoint, witnessLine, changeLine(witnessLine, 11))],
    ['a changed cosignature', edit(checkpoint, witnessLine, changeLine(witnessLine, 40))],
    ['a changed signature', edit(checkpoint, logLine, changeLine(logLine, 40))],
    ['two cosignatures of one witness', `${checkpoint}${witnessLine}\n`],
    ['unused bits of base64 set', edit(checkpoint, logLine, setUnusedBit(logLine))],
    ['no newline at the end', checkpoint.slice(0, -1)],
    ['carriage returns', checkpoint.replaceAll('\n', '\r\n')],
    ['no text', edit(checkpoint, text, '')],
  ]
  const changedLogProofs: [string, Vectors['logProof']][] = [
    [
      'another index',
      { ...logProof, text: logProof.text.replace(/index (\d+)/, (_, at) => `index ${Number(at) + 1}`) },
    ],
    ['another entry', { ...logProof, entry: itemOf(records, 0).bytes }],
    ['one hash less', { ...logProof, text: logProof.text.replace(/\n\S{44}\n/, '\n') }],
    ['one hash more', { ...logProof, text: edit(logProof.text, '\n\n', `\n${root}\n\n`) }],
    ['another version', { ...logProof, text: edit(logProof.text, '@v1', '@v2') }],
    ['an index beyond the tree', { ...logProof, text: logProof.text.replace(/index \d+/, 'index 1000') }],
  ]
  const changedReceipts: [string, Receipt][] = [
    ['another time', { ...receipt, mergeBy: receipt.mergeBy + 1 }],
    ['another log', { ...receipt, log: 'rfq.example.com/log/2' }],
    ['another index', { ...receipt, index: 0 }],
    ['an index beyond the batch', { ...receipt, index: receipt.index + 4 }],
    ['the path reversed', { ...receipt, path: [...receipt.path].reverse() }],
    ['one hash less', { ...receipt, path: receipt.path.slice(1) }],
    ['another salt', { ...receipt, salt: itemOf(receipts, 0).receipt.salt }],
    ['another record', { ...receipt, leaf: itemOf(receipts, 0).receipt.leaf }],
    ['another signature', { ...receipt, signature: itemOf(receipts, 3).receipt.signature }],
    ['a signature with a high s', { ...receipt, signature: highS(receipt.signature) }],
    ['a signature with a v of 0', { ...receipt, signature: `${receipt.signature.slice(0, -2) as Hex}00` }],
    ["a stranger's signature", itemOf([forged], 0) as Receipt],
  ]
  return [
    ...changedRecords.map(
      ([what, bytes]): Mutation => ({ of: 'record', what: `record: ${what}`, input: toBase64(bytes) }),
    ),
    ...tiles
      .filter(({ path }) => path.includes('.p/'))
      .flatMap(({ path, bytes }): Mutation[] => [
        {
          of: 'tile',
          what: `${path}: one bit changed`,
          input: { path, bytes: toBase64(changeByte(decode(bytes), 5)) },
        },
        { of: 'tile', what: `${path}: no last byte`, input: { path, bytes: toBase64(decode(bytes).slice(0, -1)) } },
      ]),
    ...changedCheckpoints.map(([what, input]): Mutation => ({ of: 'checkpoint', what: `checkpoint: ${what}`, input })),
    ...changedLogProofs.map(([what, input]): Mutation => ({ of: 'logProof', what: `log proof: ${what}`, input })),
    ...changedReceipts.map(([what, input]): Mutation => ({ of: 'receipt', what: `receipt: ${what}`, input })),
    ...(await changedFiles(log, files)).map(
      ([what, input]): Mutation => ({
        of: 'file',
        what,
        input: typeof input === 'string' ? input : formatProof(input),
      }),
    ),
  ]
}

/** Files that lie. All signatures are valid for which the liar has the key: the log's liars have all of the log's. */
async function changedFiles(log: TestLog, files: ProofFiles): Promise<[string, ProofFile | string][]> {
  const { auction, quote, omission, overdue, unclosed, backdated, fork, refusal } = files
  const prices = [400n, 390n, 410n]
  const run = async (id: string, options: Parameters<typeof runAuction>[2] = {}) => {
    const ran = await runAuction(log, prices, { id, ...options })
    return { ...ran, file: ran.auctionProof(ran.close()) }
  }
  const [kept, other] = [await run('12'), await run('13')]
  const lies = [
    ['the ranking is wrong', await run('14', { result: { ranking: [1, 2, 3] } })],
    ['the ranking omits a quote', await run('15', { result: { ranking: [2, 1] } })],
    ['the close is at another time', await run('16', { result: { closedAt: 1_899_999_915_001n } })],
    ['the best quotes are wrong', await run('17', { result: { best: [1] } })],
    ['the cost is wrong', await run('18', { result: { cost: 1n } })],
    ['a quote is of another series', await run('19', { foreign: 1 })],
  ] as const
  const stranger = createNoteSigner('stranger.example.com', keyTypes.witness, new Uint8Array(32).fill(9))
  const cosigned = (note: string) => {
    const signature = signNote(stranger, note.slice(0, note.indexOf('\n\n') + 1), cosignedAt)
    return `${note}${formatNote({ text: '', signatures: [signature] }).slice(1)}`
  }
  const [forged] = await log.receipts([decode(refusal.receipt.leaf)], mergeBy, strangersKey)
  const text = formatProof(quote)
  const { type, keys, ...rest } = quote
  return [
    ['file: a space', edit(text, ',', ', ')],
    ['file: no newline', text.slice(0, -1)],
    ['file: an escaped letter', edit(text, '"quote"', '"\\u0071uote"')],
    ['file: keys in another order', `${JSON.stringify({ keys, type, ...rest })}\n`],
    ['file: an unknown key', `${JSON.stringify({ ...quote, note: '' })}\n`],
    ['file: no key of a signature', { ...quote, keys: keys.slice(0, 1) }],
    ['file: a key without a signature', { ...quote, keys: [...keys, formatKey(stranger.key)] }],
    ['file: a cosignature of an unknown key', { ...fork, newer: cosigned(fork.newer) }],
    ['auction: one quote less', { ...auction, quotes: auction.quotes.slice(1) }],
    ['auction: one leaf less', { ...auction, leaves: auction.leaves.toSpliced(1, 1) }],
    ['auction: two leaves exchanged', { ...auction, leaves: swap(auction.leaves, 1, 2) }],
    ['auction: two quotes exchanged', { ...auction, quotes: swap(auction.quotes, 0, 1) }],
    ['auction: another chain', { ...auction, market: { ...auction.market, chainId: 1 } }],
    ["auction: another auction's opening", { ...auction, open: other.file.open }],
    ["auction: another auction's leaves", { ...auction, leaves: other.file.leaves }],
    ...lies.map(([what, { file }]): [string, ProofFile] => [`auction: ${what}`, file]),
    ['quote: another index', { ...quote, index: 1 }],
    ['quote: another salt', { ...quote, opening: { ...quote.opening, salt: itemOf(auction.leaves, 1).salt } }],
    ["quote: another auction's close", { ...quote, close: other.file.close }],
    [
      'omission: the auction has the quote',
      {
        ...{ ...omission, receipt: itemOf(kept.receipts, 0), close: kept.file.close },
        hashes: kept.transcript.map(toBase64),
      },
    ],
    ['omission: a receipt of another auction', { ...omission, receipt: itemOf(kept.receipts, 0) }],
    ['omission: two hashes exchanged', { ...omission, hashes: swap(omission.hashes, 0, 1) }],
    [
      'overdue: cosigned only before the time of the promise',
      { ...overdue, checkpoint: log.checkpoint(mergeBy - 1, overdue.from + overdue.entries.length) },
    ],
    [
      'overdue: no entries',
      {
        ...{ ...overdue, entries: [], checkpoint: log.checkpoint(cosignedAt), from: log.entries.length },
        subtrees: subtreesOf(log, log.entries.length),
      },
    ],
    [
      'overdue: the first entry is a close',
      {
        ...{ ...overdue, checkpoint: log.checkpoint(cosignedAt), from: kept.openIndex + 1 },
        subtrees: subtreesOf(log, kept.openIndex + 1),
        entries: log.entries.slice(kept.openIndex + 1).map(toBase64),
      },
    ],
    [
      'overdue: the auction was closed',
      {
        ...{ ...overdue, checkpoint: log.checkpoint(cosignedAt), from: kept.openIndex },
        ...{ subtrees: subtreesOf(log, kept.openIndex), entries: log.entries.slice(kept.openIndex).map(toBase64) },
      },
    ],
    [
      'unclosed: cosigned only before the time of the promise',
      { ...unclosed, checkpoint: log.checkpoint(mergeBy - 1, unclosed.from + unclosed.entries.length) },
    ],
    ['unclosed: one entry less', { ...unclosed, entries: unclosed.entries.slice(0, -1) }],
    ['unclosed: two entries exchanged', { ...unclosed, entries: swap(unclosed.entries, 0, 1) }],
    ['unclosed: one subtree less', { ...unclosed, subtrees: unclosed.subtrees.slice(1) }],
    [
      'unclosed: the auction was closed',
      {
        ...{ ...unclosed, receipt: itemOf(kept.receipts, 0), checkpoint: log.checkpoint(cosignedAt) },
        ...{ from: kept.openIndex, subtrees: subtreesOf(log, kept.openIndex) },
        entries: log.entries.slice(kept.openIndex).map(toBase64),
      },
    ],
    ['unclosed: a receipt of another auction', { ...unclosed, receipt: itemOf(kept.receipts, 0) }],
    ['backdated: cosigned a minute after', { ...backdated, checkpoint: log.checkpoint(1_899_999_960, overdue.from) }],
    [
      'backdated: the checkpoint has the opening',
      { ...backdated, checkpoint: log.checkpoint(cosignedAt, overdue.from + 1) },
    ],
    ['backdated: a close', { ...backdated, open: withoutCosignature(kept.file.close) }],
    ['backdated: no cosignature', { ...backdated, checkpoint: backdated.checkpoint.replace(/— witness.*\n/, '') }],
    ['backdated: another opening', { ...backdated, open: { ...kept.file.open, record: backdated.open.record } }],
    ['fork: the checkpoints are consistent', { ...fork, older: log.checkpoint(cosignedAt, 10) }],
    ['fork: one hash less', { ...fork, path: fork.path.slice(1) }],
    ['fork: another root', { ...fork, root: toBase64(itemOf(log.hashes, 0)) }],
    ["refusal: a stranger's signature", { ...refusal, receipt: itemOf([forged], 0) as Receipt }],
    ['refusal: a promise', { ...refusal, receipt: omission.receipt }],
    ['refusal: a key that is another entry', { ...refusal, key: log.prove(1) }],
  ]
}

const strangersKey: Hex = `0x${'04'.repeat(32)}`

/** Replaces a text that occurs. */
function edit(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new TypeError(`The text does not have ${from}.`)
  return text.replace(from, () => to)
}

function swap<Item>(items: readonly Item[], a: number, b: number): Item[] {
  return items.with(a, itemOf(items, b)).with(b, itemOf(items, a))
}

function changeByte(bytes: Uint8Array, at: number, mask = 1): Uint8Array {
  return bytes.slice().fill((bytes[at] ?? 0) ^ mask, at, at + 1)
}

/** Changes a byte of a signature line. */
function changeLine(line: string, at: number): string {
  return line.replace(/\S+$/, (encoded) => toBase64(changeByte(decode(encoded), at)))
}

/** Sets a bit that decoders of base64 may ignore. */
function setUnusedBit(line: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return line.replace(/[A-Za-z0-9+/](?==*$)/, (last) => letters[letters.indexOf(last) + 1] ?? last)
}

/** Returns the other signature that recovers the same signer. */
function highS(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
}

function decode(text: string): Uint8Array {
  return fromBase64(text, 'A vector')
}
