import type { AccountPositions } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import type { Address } from 'viem'

/** Pages of up to 500 positions: far more than a maker has, and an end for a service that never comes to one. */
const mostPages = 2_000
const timeoutMs = 30_000

/**
 * Asks the service for the ids of a maker's positions, settled ones as well. Ids only: what they come to is read from the chain.
 *
 * @throws {BaseError} when the service does not answer.
 */
export async function listMakerPositions(url: string, maker: Address): Promise<bigint[]> {
  const client = new ServiceClient({ orderbookUrl: url })
  const ids = new Set<bigint>()
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const options = { status: 'all' as const, timeoutMs, ...(cursor === null ? {} : { cursor }) }
    const answer: AccountPositions & { nextCursor?: string | null } = await client.getPositions(maker, options)
    for (const { positionId, role } of answer.positions) if (role === 'maker') ids.add(positionId)
    cursor = answer.nextCursor ?? null
    if (cursor === null) break
  }
  return [...ids]
}
