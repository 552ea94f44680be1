import { createHash } from 'node:crypto'
import { type PublicRfqId, type RfqId, toPublicRfqId, toRfqId } from '@firmquote/core'
import { bytesToHex } from 'viem'

/** Number of random bytes in an auction's id. */
export const rfqIdBytes = 16

/** Formats the borrower's id of an auction: 32 lower-case hex digits. Its secrecy depends on the bytes being random. */
export function formatRfqId(random: Uint8Array): RfqId {
  return toRfqId(bytesToHex(random.slice(0, rfqIdBytes)).slice(2))
}

/**
 * Derives the public id of an auction, which backers and the public see, by SHA-256. The borrower's id gives access to the
 * auction's signed quotes, so it must not follow from the public one and is sent to nobody but the borrower.
 */
export function publicRfqId(rfqId: RfqId): PublicRfqId {
  return toPublicRfqId(createHash('sha256').update(`firmquote-rfq|${rfqId}`).digest('hex').slice(0, 32))
}
