import { createHash } from 'node:crypto'
import { bytesToHex } from 'viem'

/** How many random bytes an auction's id has. */
export const rfqIdBytes = 16

/** Writes the borrower's id of an auction: 32 lower-case hex digits, unguessable because its bytes are random. */
export function formatRfqId(random: Uint8Array): string {
  return bytesToHex(random.slice(0, rfqIdBytes)).slice(2)
}

/**
 * Derives the id that backers and the public see. It cannot be turned back: the borrower's id opens the auction's signed
 * quotes to whoever knows it, so it never travels to anyone else.
 */
export function publicRfqId(rfqId: string): string {
  return createHash('sha256').update(`firmquote-rfq|${rfqId}`).digest('hex').slice(0, 32)
}
