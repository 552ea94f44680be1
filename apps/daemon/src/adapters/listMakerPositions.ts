import type { AccountPositions } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import type { Address } from 'viem'

/** Maximum number of pages, each of 500 positions. Bounds the loop in case the service never returns a last page. */
const maxPages = 2_000
const timeoutMs = 30_000

/**
 * Lists the ids of a maker's positions, including settled ones. Amounts are read from the chain, not the service.
 *
 * @throws {BaseError} if the service does not respond.
 */
export async function listMakerPositions(url: string, maker: Address): Promise<bigint[]> {
  const client = new ServiceClient({ orderbookUrl: url })
  const ids = new Set<bigint>()
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const options = { status: 'all' as const, timeoutMs, ...(cursor === null ? {} : { cursor }) }
    const answer: AccountPositions & { nextCursor?: string | null } = await client.getPositions(maker, options)
    for (const { positionId, role } of answer.positions) if (role === 'maker') ids.add(positionId)
    cursor = answer.nextCursor ?? null
    if (cursor === null) break
  }
  return [...ids]
}
