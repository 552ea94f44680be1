export { fromBase64, toBase64 } from './bytes.ts'
export {
  type Checkpoint,
  checkpointText,
  type Policy,
  parseCheckpoint,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from './checkpoint.ts'
export { formatLogProof, type LogProof, parseLogProof, verifyLogProof } from './logProof.ts'
export {
  cosignedText,
  formatKey,
  formatNote,
  formatSignature,
  keyIdOf,
  keyTypes,
  mayHaveName,
  type NoteKey,
  type NoteSignature,
  parseKey,
  parseNote,
  parseSignature,
  type SignedNote,
  verifyNote,
  witnessNameOf,
} from './note.ts'
export { ProofError } from './proofError.ts'
export {
  type AuctionProof,
  type BackdatedProof,
  type ForkProof,
  formatProof,
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
export {
  buildBatch,
  hashReceipt,
  type Receipt,
  receiptDomain,
  receiptTypes,
  recoverReceipt,
} from './receipt.ts'
export { decodeRecord, encodeRecord, type Layout, type RecordOf } from './record.ts'
export type { Fact, Statement } from './statement.ts'
export * from './structures.ts'
export {
  createHashReader,
  createTreeReader,
  decodeEntries,
  decodeTile,
  encodeEntries,
  type HashReader,
  parseTilePath,
  type Tile,
  type TreeReader,
  tilePath,
  widthOf,
} from './tiles.ts'
export {
  consistencyPath,
  hashLeaf,
  hashNode,
  hashSalted,
  inclusionPath,
  rootAfterPrefix,
  rootOf,
  rootOfInclusion,
  rootOfSubtrees,
  type Subtree,
  type TreeHead,
  verifyConsistency,
} from './tree.ts'
export { type Cause, selectionVersion, type Verdict, type VerifyPolicy, verifyProof } from './verifyProof.ts'
export {
  cosign,
  judgeCheckpoint,
  type OfferedCheckpoint,
  proveFork,
  type SignBytes,
  type TreeSource,
  verifyCosignature,
  type WitnessVerdict,
} from './witness.ts'
