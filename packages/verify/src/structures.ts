import type { Layout } from './record.ts'

// Records of the log and of transcripts. A record's first byte is its kind. Kinds are never reused.

/**
 * An auction's opening, appended before any maker learns of the auction. `openLeaf` is the hash of the transcript's
 * first leaf, whose salt hides the terms. Times are Unix milliseconds.
 */
export const openEntry = {
  kind: 1,
  layout: { publicRfqId: 'bytes16', openedAt: 'u64', closesAt: 'u64', openLeaf: 'bytes32' },
} as const satisfies RecordKind

/** An auction's close: the number of the transcript's leaves and its root. `closedAt` is in Unix milliseconds. */
export const closeEntry = {
  kind: 2,
  layout: { publicRfqId: 'bytes16', closedAt: 'u64', count: 'u32', root: 'bytes32' },
} as const satisfies RecordKind

/** An account that signs receipts from this entry on. */
export const keyEntry = { kind: 3, layout: { signer: 'bytes20', at: 'u64' } } as const satisfies RecordKind

/** Bits of `openLeaf.flags`. A field whose bit is not set is zero. */
export const openFlags = { maxVrtAmount: 1, taker: 2 } as const

/**
 * A transcript's first leaf: the RFQ. Amounts are raw units of the loan token, `expiry` and `minDeadline` are Unix
 * seconds, other times are Unix milliseconds.
 */
export const openLeaf = {
  kind: 17,
  layout: {
    poolId: 'bytes32',
    seriesKey: 'bytes32',
    expiry: 'u64',
    notional: 'u256',
    minNotional: 'u256',
    minDeadline: 'u64',
    flags: 'u8',
    maxVrtAmount: 'u256',
    taker: 'bytes20',
    openedAt: 'u64',
    closesAt: 'u64',
    backers: 'u32',
  },
} as const satisfies RecordKind

/**
 * An accepted quote. `hash` is its EIP-712 hash, `signature` the SHA-256 of its signature, and `arrival` is in Unix
 * microseconds. The block is the one at which the service judged the quote. `unproven` is 1 if its maker is an unproven
 * contract.
 */
export const quoteLeaf = {
  kind: 18,
  layout: {
    seq: 'u32',
    hash: 'bytes32',
    signature: 'bytes32',
    maker: 'bytes20',
    arrival: 'u64',
    blockNumber: 'u64',
    blockHash: 'bytes32',
    unproven: 'u8',
  },
} as const satisfies RecordKind

/**
 * A transcript's last leaf: the result. `ranking` and `best` list `seq`s. `rejectedCount` is a lower bound.
 * `selection` is the version of the rules by which `best` was chosen.
 */
export const closeLeaf = {
  kind: 19,
  layout: {
    closedAt: 'u64',
    rejectedCount: 'u32',
    interrupted: 'u8',
    selection: 'u16',
    ranking: 'u32s',
    best: 'u32s',
    notional: 'u256',
    cost: 'u256',
  },
} as const satisfies RecordKind

/**
 * A receipt's promise: the quote was accepted at `receivedAt` (Unix milliseconds), and the transcript will have `leaf` at
 * index `seq`.
 */
export const acceptedLeaf = {
  kind: 33,
  layout: { publicRfqId: 'bytes16', hash: 'bytes32', maker: 'bytes20', receivedAt: 'u64', seq: 'u32', leaf: 'bytes32' },
} as const satisfies RecordKind

/** A receipt's statement: the quote was refused with `code` at a block. Without a block, both fields are zero. */
export const refusedLeaf = {
  kind: 34,
  layout: {
    publicRfqId: 'bytes16',
    hash: 'bytes32',
    maker: 'bytes20',
    at: 'u64',
    code: 'text',
    blockNumber: 'u64',
    blockHash: 'bytes32',
  },
} as const satisfies RecordKind

/** A record's first byte and its fields. */
export type RecordKind = { kind: number; layout: Layout }
