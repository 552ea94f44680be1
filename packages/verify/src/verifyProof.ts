import {
  chooseQuotes,
  comparePrices,
  deserializeSignedQuote,
  hashQuote,
  recoverMaker,
  type SignedQuote,
} from '@firmquote/core'
import { bytesToHex, isAddressEqual, sha256 } from 'viem'
import { areEqual, fromBase64 } from './bytes.ts'
import { type VerifiedCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import { parseLogProof, requireInclusion } from './logProof.ts'
import { keyTypes, type NoteKey, parseKey, parseNote } from './note.ts'
import { ProofError } from './proofError.ts'
import {
  type AuctionProof,
  type BackdatedProof,
  type ForkProof,
  type OmissionProof,
  type Opening,
  type OverdueProof,
  type ProofFile,
  type ProvenEntry,
  parseProof,
  type QuoteProof,
  type RefusalProof,
  type UnclosedProof,
} from './proofFile.ts'
import { type Receipt, recoverReceipt } from './receipt.ts'
import { decodeRecord, type RecordOf } from './record.ts'
import { type Fact, type Statement, toStatement } from './statement.ts'
import {
  acceptedLeaf,
  closeEntry,
  closeLeaf,
  keyEntry,
  openEntry,
  openFlags,
  openLeaf,
  quoteLeaf,
  type RecordKind,
  refusedLeaf,
} from './structures.ts'
import { hashLeaf, hashSalted, rootAfterPrefix, rootOf, rootOfInclusion, verifyConsistency } from './tree.ts'

/** The version of the selection rules that this package can repeat. */
export const selectionVersion = 1

/** The keys that a verifier trusts. Without a log key, the file's own is used, and the statements say so. */
export type VerifyPolicy = { log?: NoteKey; witnesses?: readonly NoteKey[]; quorum?: number }

/** The result of {@link verifyProof}. `reason` is one sentence. */
export type Verdict =
  | { isValid: true; file: ProofFile; statements: readonly Statement[] }
  | { isValid: false; reason: string; cause: Cause }

/**
 * Why a file is refused: it is no proof, its signatures do not satisfy the policy, it is wrong, or the log itself committed
 * to what breaks the service's rules. Only who has the log's key can make a file with the last cause.
 */
export type Cause = 'format' | 'policy' | 'content' | 'breach'

/** `used` collects the names whose signatures the file has. */
type Context = {
  policy: { log: NoteKey; witnesses: readonly NoteKey[] }
  known: ReadonlySet<string>
  /** Minimum number of the policy's witnesses that must have cosigned each checkpoint. */
  quorum: number
  used: Set<string>
  statements: Statement[]
}

/**
 * Verifies a proof offline. Each statement is proved by the file, or left open. Never throws.
 *
 * @param text the file's text.
 */
export async function verifyProof(text: string, policy: VerifyPolicy = {}): Promise<Verdict> {
  let cause: Cause = 'format'
  try {
    const file = parseProof(text)
    cause = 'content'
    const statements: Statement[] = []
    const context: Context = { statements, used: new Set(), ...readKeys(file.keys, policy) }
    if (!policy.log) state(context, { code: 'ownKey', log: context.policy.log.name }, false)
    await verifiers[file.type](file as never, context)
    if (context.used.size !== file.keys.length) throw new ProofError('The file names a key without a signature.')
    return { isValid: true, file, statements }
  } catch (error) {
    // Core refuses values beyond their types. Only the first line of its errors is a sentence.
    const { message } = error as Error
    if (error instanceof ProofError && error.cause) cause = error.cause as Cause
    return { isValid: false, reason: message.split('\n')[0] ?? message, cause }
  }
}

const verifiers: {
  [Type in ProofFile['type']]: (file: Extract<ProofFile, { type: Type }>, context: Context) => Promise<void>
} = {
  auction: verifyAuction,
  quote: verifyQuote,
  omission: verifyOmission,
  overdue: verifyUnclosed,
  unclosed: verifyUnclosed,
  backdated: verifyBackdated,
  fork: verifyFork,
  refusal: verifyRefusal,
}

/** Reads a file's keys. All its signatures are verified with them; only the policy's count as witnesses. */
function readKeys(texts: readonly string[], given: VerifyPolicy): Pick<Context, 'policy' | 'known' | 'quorum'> {
  const [log, ...witnesses] = texts.map(parseKey)
  if (log?.type !== keyTypes.log) throw new ProofError("The file's first key is not a log's.")
  if (witnesses.some(({ type }) => type !== keyTypes.witness)) throw new ProofError("A further key is not a witness's.")
  const names = [log, ...witnesses].map(({ name }) => name)
  if (new Set(names).size !== names.length) throw new ProofError("Two of the file's keys have the same name.")
  if (given.log && !isSameKey(given.log, log))
    throw new ProofError("The file's log key is not the one that you trust.", { cause: 'policy' })
  const trusted = witnesses.filter((key) => given.witnesses?.some((own) => isSameKey(own, key)))
  return {
    policy: { log, witnesses },
    known: new Set(trusted.map(({ name }) => name)),
    quorum: given.quorum ?? 0,
  }
}

function isSameKey(a: NoteKey, b: NoteKey): boolean {
  return a.name === b.name && a.type === b.type && areEqual(a.publicKey, b.publicKey)
}

/**
 * Verifies a file's checkpoint. All its signatures are of the file's keys, so that no byte of it is unverified. Each
 * checkpoint needs the quorum: another one of the file may belong to an older history.
 */
async function readCheckpoint(note: string, context: Context): Promise<VerifiedCheckpoint> {
  const names = parseNote(note).signatures.map(({ name }) => name)
  const checkpoint = await verifyCheckpoint(note, context.policy)
  const known = [context.policy.log, ...checkpoint.witnesses].map(({ name }) => name)
  if (names.join('\n') !== known.join('\n'))
    throw new ProofError('A checkpoint has signatures of unknown keys, or in another order.')
  const trusted = checkpoint.witnesses.filter(({ name }) => context.known.has(name)).length
  if (trusted < context.quorum) {
    throw new ProofError(`Of your witnesses, ${trusted} cosigned a checkpoint, but ${context.quorum} must have.`, {
      cause: 'policy',
    })
  }
  for (const name of names) context.used.add(name)
  return checkpoint
}

async function readEntry<L extends RecordKind['layout']>(
  { record, proof }: ProvenEntry,
  kind: { kind: number; layout: L },
  context: Context,
): Promise<{ entry: RecordOf<L>; index: number; checkpoint: VerifiedCheckpoint }> {
  const bytes = fromBase64(record, 'An entry')
  const entry = decode(kind, bytes)
  const parsed = parseLogProof(proof)
  const checkpoint = await readCheckpoint(parsed.checkpoint, context)
  requireInclusion(parsed, bytes, checkpoint)
  return { entry, index: parsed.index, checkpoint }
}

async function verifyAuction(file: AuctionProof, context: Context): Promise<void> {
  const { entry: opened } = await readEntry(file.open, openEntry, context)
  const { entry: closed, checkpoint } = await readEntry(file.close, closeEntry, context)
  if (opened.publicRfqId !== closed.publicRfqId) throw new ProofError('The two entries are of different auctions.')
  const hashes = file.leaves.map(hashOpening)
  if (hashes.length !== closed.count)
    throw new ProofError(`The file has ${hashes.length} leaves, but the log says ${closed.count}.`)
  if (bytesToHex(rootOf(hashes)) !== closed.root) throw new ProofError("The leaves do not match the log's root.")
  const [first, ...others] = file.leaves
  const last = others.pop()
  if (!first || !last) throw new ProofError('The transcript has no opening or no close.')
  if (hashes[0] && bytesToHex(hashes[0]) !== opened.openLeaf)
    throw new ProofError('The opening was changed after the log committed to it.')
  const open = openOf(first)
  if (open.openedAt !== opened.openedAt || open.closesAt !== opened.closesAt)
    throw new ProofError("The opening's times are not the log's.")
  const quotes = await readQuotes(file, others, open)
  const close = recordOf(last, closeLeaf)
  if (close.closedAt !== closed.closedAt) throw new ProofError("The close's time is not the log's.")
  const ranking = [...quotes].sort(
    (a, b) => comparePrices(a.signed, b.signed) || Number(a.leaf.arrival - b.leaf.arrival) || a.leaf.seq - b.leaf.seq,
  )
  if (ranking.map(({ leaf }) => leaf.seq).join() !== close.ranking.join())
    throw new ProofError('The ranking does not follow from the quotes.', { cause: 'breach' })
  state(context, { code: 'opened', publicRfqId: closed.publicRfqId, terms: open })
  state(context, { code: 'quotes', hashes: quotes.map(({ leaf }) => leaf.hash) })
  if (quotes.some(({ isContract }) => isContract)) state(context, { code: 'contracts' }, false)
  stateBest(close, open, quotes, context)
  const ms = close.closedAt - open.closesAt
  if (ms > 0n) state(context, { code: 'late', ms, interrupted: close.interrupted === 1 }, false)
  stateWitnesses(checkpoint, context)
  state(context, { code: 'unacknowledged' }, false)
}

type ReadQuote = { leaf: RecordOf<typeof quoteLeaf.layout>; signed: SignedQuote; isContract: boolean }

async function readQuotes(
  { quotes, market }: AuctionProof,
  leaves: readonly Opening[],
  { poolId, seriesKey }: RecordOf<typeof openLeaf.layout>,
): Promise<ReadQuote[]> {
  if (quotes.length !== leaves.length)
    throw new ProofError(`The file has ${quotes.length} quotes for ${leaves.length} leaves.`)
  return Promise.all(
    quotes.map(async (serialized, index) => {
      const signed = deserializeSignedQuote(serialized)
      const leaf = recordOf(leaves[index] as Opening, quoteLeaf)
      if (signed.poolId !== poolId || signed.seriesKey !== seriesKey)
        throw new ProofError(`Quote ${index + 1} is of another series.`)
      if (leaf.seq !== index + 1) throw new ProofError(`Quote ${index + 1} has the number ${leaf.seq}.`)
      if (hashQuote(signed, market) !== leaf.hash)
        throw new ProofError(`Quote ${leaf.seq} is not the one that the service accepted.`)
      if (!isAddressEqual(signed.maker, leaf.maker)) throw new ProofError(`Quote ${leaf.seq} names another maker.`)
      if (sha256(signed.signature) !== leaf.signature) throw new ProofError(`Quote ${leaf.seq} has another signature.`)
      const recovery = await recoverMaker(signed, market)
      const isContract = !recovery.signer || !isAddressEqual(recovery.signer, signed.maker)
      return { leaf, signed, isContract }
    }),
  )
}

function stateBest(
  close: RecordOf<typeof closeLeaf.layout>,
  open: RecordOf<typeof openLeaf.layout>,
  quotes: readonly ReadQuote[],
  context: Context,
): void {
  if (close.selection !== selectionVersion) {
    state(context, { code: 'unknownRules', version: close.selection }, false)
    return
  }
  const chosen = chooseQuotes(
    quotes.filter(({ leaf }) => leaf.unproven === 0).map(({ leaf, signed }) => ({ ...signed, hash: leaf.hash })),
    { notional: open.notional, ...(open.flags & openFlags.maxVrtAmount ? { maxVrtAmount: open.maxVrtAmount } : {}) },
  )
  const seqs = chosen.quotes.map(({ hash }) => quotes.find(({ leaf }) => leaf.hash === hash)?.leaf.seq ?? 0)
  if (seqs.join() !== close.best.join() || chosen.notional !== close.notional || chosen.cost !== close.cost) {
    throw new ProofError('The best quotes do not follow from the quotes.', { cause: 'breach' })
  }
  state(context, { code: 'best' })
}

async function verifyQuote(file: QuoteProof, context: Context): Promise<void> {
  const { entry: closed, checkpoint } = await readEntry(file.close, closeEntry, context)
  const leaf = recordOf(file.opening, quoteLeaf)
  const path = decodeHashes(file.path)
  const root = rootOfInclusion(hashOpening(file.opening), file.index, closed.count, path)
  if (bytesToHex(root) !== closed.root) throw new ProofError('The quote is not in the auction that the log commits to.')
  if (leaf.seq !== file.index) throw new ProofError(`The quote has the number ${leaf.seq}, but is leaf ${file.index}.`)
  state(context, { code: 'quote', publicRfqId: closed.publicRfqId, hash: leaf.hash, maker: leaf.maker })
  stateWitnesses(checkpoint, context)
  state(context, { code: 'noRanking' }, false)
}

async function verifyOmission(file: OmissionProof, context: Context): Promise<void> {
  const promise = await readPromise(file, context)
  const { entry: closed, checkpoint } = await readEntry(file.close, closeEntry, context)
  if (closed.publicRfqId !== promise.publicRfqId) throw new ProofError('The receipt is of another auction.')
  const hashes = decodeHashes(file.hashes)
  if (hashes.length !== closed.count || bytesToHex(rootOf(hashes)) !== closed.root) {
    throw new ProofError("The hashes do not match the log's root of the auction.")
  }
  const found = hashes[promise.seq]
  // The last leaf is the close.
  if (promise.seq < hashes.length - 1 && found && bytesToHex(found) === promise.leaf) {
    throw new ProofError('The auction has the quote, as the receipt promised.')
  }
  state(context, { code: 'omitted', hash: promise.hash, maker: promise.maker })
  stateWitnesses(checkpoint, context)
}

/** The size of a close. A malformed one closes no auction: otherwise, it would spoil the proof of each open auction. */
const closeBytes = 61

async function verifyUnclosed(file: OverdueProof | UnclosedProof, context: Context): Promise<void> {
  const promise = file.type === 'unclosed' ? await readPromise(file, context) : null
  const checkpoint = await readCheckpoint(file.checkpoint, context)
  const subtrees = decodeHashes(file.subtrees)
  const entries = file.entries.map((entry) => fromBase64(entry, 'An entry'))
  if (file.from + entries.length !== checkpoint.size)
    throw new ProofError("The file does not have all the log's later entries.")
  if (!areEqual(rootAfterPrefix(file.from, subtrees, entries.map(hashLeaf)), checkpoint.root)) {
    throw new ProofError("The entries do not match the checkpoint's root.")
  }
  const [first = new Uint8Array(), ...others] = entries
  const { publicRfqId, closesAt } = decode(openEntry, first)
  if (promise && publicRfqId !== promise.publicRfqId) throw new ProofError('The receipt is of another auction.')
  const isClosed = others.some(
    (entry) => entry.length === closeBytes && bytesToHex(entry).startsWith(`0x02${publicRfqId.slice(2)}`),
  )
  if (isClosed) throw new ProofError('The auction was closed.')
  const mergeBy = file.type === 'unclosed' ? file.receipt.mergeBy : Number((closesAt + 60_999n) / 1_000n)
  stateSeen({ code: 'unclosed', publicRfqId, mergeBy }, checkpoint, mergeBy, context)
}

async function verifyBackdated({ checkpoint, open }: BackdatedProof, context: Context): Promise<void> {
  const earlier = await readCheckpoint(checkpoint, context)
  // The log's own signature shows its entry, whether or not witnesses saw it.
  const { entry, index } = await readEntry(open, openEntry, { ...context, quorum: 0 })
  const { publicRfqId, openedAt } = entry
  if (index < earlier.size) throw new ProofError('The checkpoint has the opening.')
  stateSeen({ code: 'backdated', publicRfqId, openedAt }, earlier, Number(openedAt / 1_000n) + 61, context)
}

/**
 * States a fact that follows from a checkpoint if a witness cosigned it at `since` or later, in Unix seconds. No wall clock
 * decides. Anyone can create a key and sign any time, so only the policy's witnesses prove the fact.
 */
function stateSeen(fact: Fact, checkpoint: VerifiedCheckpoint, since: number, context: Context): void {
  const witnesses = checkpoint.witnesses.filter(({ time }) => time >= since)
  if (witnesses.length === 0) throw new ProofError(`No witness cosigned the checkpoint at ${since} or later.`)
  const isProved = witnesses.some(({ name }) => context.known.has(name))
  state(context, fact, isProved)
  stateWitnesses({ witnesses }, context)
}

/** The log's own signatures show a fork, whether or not witnesses saw it. */
async function verifyFork({ older, newer, root, path }: ForkProof, given: Context): Promise<void> {
  const context = { ...given, quorum: 0 }
  const [from, to] = [await readCheckpoint(older, context), await readCheckpoint(newer, context)]
  const other = { size: from.size, root: fromBase64(root, 'The root') }
  verifyConsistency(other, to, decodeHashes(path))
  if (areEqual(other.root, from.root)) throw new ProofError('The two checkpoints are consistent.')
  state(context, { code: 'fork', log: from.origin, size: from.size })
}

async function verifyRefusal({ receipt, key }: RefusalProof, context: Context): Promise<void> {
  const leaf = await readReceipt(receipt, key, context)
  const refused = decode(refusedLeaf, leaf)
  state(context, { code: 'refused', hash: refused.hash, maker: refused.maker, reason: refused.code })
  state(context, { code: 'notJudged', block: refused.blockNumber > 0n ? refused.blockNumber : null }, false)
}

async function readPromise(
  file: { receipt: Receipt; key: ProvenEntry },
  context: Context,
): Promise<RecordOf<typeof acceptedLeaf.layout>> {
  return decode(acceptedLeaf, await readReceipt(file.receipt, file.key, context))
}

/** Verifies a receipt, whose signer must be a key of the log. */
async function readReceipt(receipt: Receipt, key: ProvenEntry, context: Context): Promise<Uint8Array> {
  const { entry } = await readEntry(key, keyEntry, context)
  if (receipt.log !== context.policy.log.name) throw new ProofError(`The receipt is of the log ${receipt.log}.`)
  const { signer, leaf } = await recoverReceipt(receipt)
  if (!isAddressEqual(signer, entry.signer)) throw new ProofError("The receipt is not signed by the log's key.")
  return leaf
}

function openOf(opening: Opening): RecordOf<typeof openLeaf.layout> {
  const open = recordOf(opening, openLeaf)
  const isUnset = (bit: number, isZero: boolean) => (open.flags & bit) !== 0 || isZero
  const isCanonical =
    open.flags <= (openFlags.maxVrtAmount | openFlags.taker) &&
    isUnset(openFlags.maxVrtAmount, open.maxVrtAmount === 0n) &&
    isUnset(openFlags.taker, BigInt(open.taker) === 0n)
  if (!isCanonical) throw new ProofError('The opening has values that its flags exclude.')
  return open
}

function decode<L extends RecordKind['layout']>(
  { kind, layout }: { kind: number; layout: L },
  bytes: Uint8Array,
): RecordOf<L> {
  return decodeRecord(kind, layout, bytes)
}

function decodeHashes(hashes: readonly string[]): Uint8Array[] {
  return hashes.map((hash) => fromBase64(hash, 'A hash'))
}

function recordOf<L extends RecordKind['layout']>({ record }: Opening, kind: { kind: number; layout: L }): RecordOf<L> {
  return decode(kind, fromBase64(record, 'A record'))
}

function hashOpening({ salt, record }: Opening): Uint8Array {
  return hashSalted(fromBase64(salt, 'A salt'), fromBase64(record, 'A record'))
}

function stateWitnesses({ witnesses }: Pick<VerifiedCheckpoint, 'witnesses'>, context: Context): void {
  const trusted = witnesses.filter(({ name }) => context.known.has(name))
  for (const { name, time } of trusted) state(context, { code: 'witness', name, time })
  const count = witnesses.length - trusted.length
  if (count > 0) state(context, { code: 'otherWitnesses', count }, false)
  if (trusted.length === 0) state(context, { code: 'noWitness' }, false)
}

function state({ statements }: Context, fact: Fact, isProved = true): void {
  statements.push(toStatement(fact, isProved))
}
