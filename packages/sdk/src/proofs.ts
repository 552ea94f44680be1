export type { WitnessMessage } from './backer/rfqWebSocketClient.ts'
export {
  createLogReader,
  type ListedLog,
  type LogReader,
  type LogReaderOptions,
  type LogSource,
  readLogs,
} from './proofs/createLogReader.ts'
export { createProofReads, type ProofReadOptions } from './proofs/createProofReads.ts'
export {
  createWitness,
  type Witness,
  type WitnessAlarm,
  type WitnessedLog,
  type WitnessOptions,
  type WitnessSession,
  type WitnessState,
  type WitnessStore,
} from './proofs/createWitness.ts'
export { createWitnessLink, type WitnessLink, type WitnessLinkOptions } from './proofs/createWitnessLink.ts'
export type { Promised, Refused } from './proofs/judgeReceipt.ts'
export { type CosignedCheckpoint, proveBackdated, proveOverdue } from './proofs/proveAuction.ts'
export { readAuctionProof } from './proofs/readAuctionProof.ts'
export { createReceiptBook } from './proofs/receiptBook.ts'
export type {
  BookLog,
  BookService,
  ListedAuction,
  ReceiptBook,
  ReceiptBookConfig,
  ReceiptBookEvents,
  ReceiptCounts,
  ReceiptProblem,
  ReceiptProblemCode,
  ReceiptProof,
  ReceiptStore,
} from './proofs/receiptBookTypes.ts'
