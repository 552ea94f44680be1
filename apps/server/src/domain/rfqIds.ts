import { createHash } from 'node:crypto'
import { type PublicRfqId, type RfqId, toPublicRfqId, toRfqId } from '@firmquote/core'
import { bytesToHex } from 'viem'

/** Number of random bytes in an auction's ID. */
export const rfqIdBytes = 16

/**
 * Formats an auction's private ID, known only to the borrower: 32 lower-case hex digits. The ID is secret only if the
 * bytes are random.
 */
export function formatRfqId(random: Uint8Array): RfqId {
  return toRfqId(bytesToHex(random.slice(0, rfqIdBytes)).slice(2))
}

/**
 * Derives an auction's public ID, which backers and the public see, using SHA-256. The borrower's ID grants access to
 * the auction's signed quotes, so it must not be derivable from the public ID. Only the borrower receives it.
 */
export function publicRfqId(rfqId: RfqId): PublicRfqId {
  return toPublicRfqId(createHash('sha256').update(`firmquote-rfq|${rfqId}`).digest('hex').slice(0, 32))
}
