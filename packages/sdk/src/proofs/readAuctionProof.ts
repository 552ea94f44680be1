import type { RfqId } from '@firmquote/core'
import { rfqId as rfqIdShape } from '../generated/decoders.ts'
import { checkSource, checkUrl, type LogSource } from './createLogReader.ts'
import { readBytes } from './readBytes.ts'

/** A transcript of 20,000 quotes. */
const maxProofBytes = 32 * 1024 * 1024

/**
 * Reads the proof file of a closed auction, given the borrower's secret id, and waits until the log has the auction's
 * close. The text is not verified: pass it to `verifyProof`. Save it byte for byte.
 *
 * @param url URL of the service, such as `https://rfq.example.com`.
 * @throws {InvalidInputError} if the URL or the id is malformed.
 * @throws {InvalidResponseError} if the service refuses, with its `status`: 404 for an auction that it does not know or
 *   cannot prove, 425 if the proof is not ready before the timeout.
 * @example
 * ```ts
 * const text = await readAuctionProof(orderbookUrl, result.rfqId, { timeoutMs: 90_000 })
 * ```
 */
export async function readAuctionProof(url: string, rfqId: RfqId, options: LogSource = {}): Promise<string> {
  const id = rfqIdShape(rfqId, 'rfqId')
  const source = checkSource(options)
  return new TextDecoder().decode(await readBytes(`${checkUrl(url)}/api/v1/rfq/${id}/proof`, maxProofBytes, source))
}
