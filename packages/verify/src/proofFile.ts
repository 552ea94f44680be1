import type { SerializedSignedQuote } from '@firmquote/core'
import type { Address } from 'viem'
import { ProofError } from './proofError.ts'
import type { Receipt } from './receipt.ts'

// Files that prove something offline. A file has exactly one encoding: compact JSON, keys in the order of the types
// below, and a newline. Hashes, salts and records are base64; signed notes and log proofs are text.

/** An entry of the log, and its proof (c2sp.org/tlog-proof). */
export type ProvenEntry = { record: string; proof: string }
/** A transcript's leaf. `salt` has 16 bytes. */
export type Opening = { salt: string; record: string }
/** Public keys in the form of `formatKey`: the log's first, then those of witnesses whose signatures the file has. */
type Keys = { keys: readonly string[] }
/** The chain and contract that quotes' hashes commit to. Addresses in files are lower-case. */
type Market = { chainId: number; quoteMarket: Address }

/** A closed auction with all its leaves: the borrower's proof. Quotes are in the order of their `seq`. */
export type AuctionProof = Keys & {
  type: 'auction'
  market: Market
  open: ProvenEntry
  close: ProvenEntry
  leaves: readonly Opening[]
  quotes: readonly SerializedSignedQuote[]
}

/** One quote in a closed auction: a maker's proof. */
export type QuoteProof = Keys & {
  type: 'quote'
  close: ProvenEntry
  opening: Opening
  index: number
  path: readonly string[]
}

/** A receipt whose quote is not in the closed auction. `hashes` are those of all the transcript's leaves. */
export type OmissionProof = Keys & {
  type: 'omission'
  key: ProvenEntry
  receipt: Receipt
  close: ProvenEntry
  hashes: readonly string[]
}

/** The log's entries from index `from` on, which is an auction's opening. They do not include its close. */
type Unclosed = { checkpoint: string; from: number; subtrees: readonly string[]; entries: readonly string[] }

/** An auction that was not closed in time. The checkpoint was cosigned 60 s or more after the auction's `closesAt`. */
export type OverdueProof = Keys & Unclosed & { type: 'overdue' }

/**
 * A receipt whose auction was not closed in time. The checkpoint was cosigned at or after the receipt's `mergeBy`, which
 * may be earlier than 60 s after the `closesAt` that the log states.
 */
export type UnclosedProof = Keys & Unclosed & { type: 'unclosed'; key: ProvenEntry; receipt: Receipt }

/** An opening that the log did not have at the checkpoint, which was cosigned more than 60 s after its `openedAt`. */
export type BackdatedProof = Keys & { type: 'backdated'; checkpoint: string; open: ProvenEntry }

/** Two signed checkpoints, and a path which shows that the newer tree begins with another root than the older one's. */
export type ForkProof = Keys & { type: 'fork'; older: string; newer: string; root: string; path: readonly string[] }

/** A signed refusal. Its reason can be judged again at its block. */
export type RefusalProof = Keys & { type: 'refusal'; key: ProvenEntry; receipt: Receipt }

/** A proof that can be verified offline. */
export type ProofFile =
  | AuctionProof
  | QuoteProof
  | OmissionProof
  | OverdueProof
  | UnclosedProof
  | BackdatedProof
  | ForkProof
  | RefusalProof

/** A text that matches, a list, an object with keys in this order, or a whole number. */
type Shape = RegExp | readonly [Shape] | { readonly [key: string]: Shape } | 'integer'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const hash = /^[A-Za-z0-9+/]{43}=$/
const note = /^[^\r]{1,16384}$/
const hex32 = /^0x[0-9a-f]{64}$/
const address = /^0x[0-9a-f]{40}$/
const decimal = /^(?:0|[1-9]\d{0,77})$/
const entry = { record: base64, proof: note }
const opening = { salt: /^[A-Za-z0-9+/]{22}==$/, record: base64 }
const receipt = {
  log: /^[^\s+]{1,255}$/,
  mergeBy: 'integer',
  signature: /^0x[0-9a-f]{130}$/,
  index: 'integer',
  path: [hash],
  salt: opening.salt,
  leaf: base64,
} as const
const quote = {
  ...{ maker: address, taker: address, poolId: hex32, seriesKey: hex32, notional: decimal, vrtAmount: decimal },
  ...{ nonce: decimal, deadline: decimal, salt: hex32, signature: /^0x(?:[0-9a-f]{2})*$/ },
}
const header = { type: /^/, keys: [/^[\x21-\x7e]{1,512}$/] } as const
const unclosed = { checkpoint: note, from: 'integer', subtrees: [hash], entries: [base64] } as const
/** The keys of each file after `type` and `keys`. */
const shapes: { [Type in ProofFile['type']]: { readonly [key: string]: Shape } } = {
  auction: {
    ...{ market: { chainId: 'integer', quoteMarket: address }, open: entry, close: entry },
    ...{ leaves: [opening], quotes: [quote] },
  },
  quote: { close: entry, opening, index: 'integer', path: [hash] },
  omission: { key: entry, receipt, close: entry, hashes: [hash] },
  overdue: unclosed,
  unclosed: { key: entry, receipt, ...unclosed },
  backdated: { checkpoint: note, open: entry },
  fork: { older: note, newer: note, root: hash, path: [hash] },
  refusal: { key: entry, receipt },
}

/** Encodes a proof. */
export function formatProof(file: ProofFile): string {
  return `${JSON.stringify(file)}\n`
}

/**
 * Parses a proof without verifying it.
 *
 * @throws {ProofError} if the text is not a proof in its only encoding.
 */
export function parseProof(text: string): ProofFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProofError('The file is not JSON.')
  }
  const type = (value as { type?: unknown } | null)?.type
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type))
    throw new ProofError('The file is not a Firmquote proof.')
  checkShape(value, { ...header, ...shapes[type as ProofFile['type']] }, 'The file')
  const file = value as ProofFile
  // Whitespace, duplicate keys and other spellings of numbers or letters would be further encodings.
  if (formatProof(file) !== text) throw new ProofError('The file is not in the canonical encoding.')
  return file
}

function checkShape(value: unknown, shape: Shape, path: string): void {
  const wrong = new ProofError(`${path} is malformed.`)
  if (shape === 'integer') {
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrong
  } else if (shape instanceof RegExp) {
    if (typeof value !== 'string' || !shape.test(value)) throw wrong
  } else if (Array.isArray(shape)) {
    if (!Array.isArray(value)) throw wrong
    for (const [index, item] of value.entries()) checkShape(item, shape[0], `${path}[${index}]`)
  } else {
    if (typeof value !== 'object' || value === null) throw wrong
    const names = Object.keys(shape)
    if (Object.keys(value).join() !== names.join())
      throw new ProofError(`${path} must have ${names.join(', ')}, in this order.`)
    for (const name of names) {
      const item = (value as Record<string, unknown>)[name]
      checkShape(
        item,
        (shape as { [key: string]: Shape })[name] as Shape,
        path === 'The file' ? `The file's ${name}` : `${path}.${name}`,
      )
    }
  }
}
