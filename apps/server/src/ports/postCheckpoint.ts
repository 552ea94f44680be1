import type { WitnessAnswer } from '../domain/addCheckpoint.ts'

/** Sends a checkpoint to a witness. Rejects if there is no answer in time, or if it is too long. */
export type PostCheckpoint = (url: string, body: string, signal: AbortSignal) => Promise<WitnessAnswer>
