import { createHash } from 'node:crypto'
import { type PublicRfqId, type RfqId, toPublicRfqId, toRfqId } from '@firmquote/core'
import { bytesToHex } from 'viem'

/** Random bytes in an auction's id. */
export const rfqIdBytes = 16

/** Formats the borrower's id of an auction: 32 lower-case hex digits. Its secrecy depends on the bytes being random. */
export function formatRfqId(random: Uint8Array): RfqId {
  return toRfqId(bytesToHex(random.slice(0, rfqIdBytes)).slice(2))
}

/**
 * Derives an auction's public id, which backers and the public see, by SHA-256. The borrower's id grants access to the
 * auction's signed quotes, so it must not follow from the public one. Only the borrower receives it.
 */
export function publicRfqId(rfqId: RfqId): PublicRfqId {
  return toPublicRfqId(createHash('sha256').update(`firmquote-rfq|${rfqId}`).digest('hex').slice(0, 32))
}
