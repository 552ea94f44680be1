import { type AccountPositions, InvalidResponseError, type ServiceClient } from '@firmquote/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { PositionNotReachedError } from '../errors.ts'
import { refetchAfter } from './awaitedBlock.ts'
import { serviceKey } from './queryKeys.ts'

/** Number of settled positions per page. */
const settledPageSize = 25

/** Largest number of pages, newest first, that are searched for a position. With full pages, 10,000 positions. */
const maxPages = 20

/**
 * One position of an account, open or settled, in the form of `positionsQuery`. `positions` contains it once, twice if
 * the account is both of its sides, or is empty if the account has no such position. `withdrawable` contains its token
 * only.
 */
export function positionQuery(client: ServiceClient, address: Address, positionId: bigint) {
  return queryOptions({
    // Keys are JSON, which has no bigint.
    queryKey: [...serviceKey('positions', client), address, positionId.toString()],
    queryFn: ({ signal }) =>
      findPosition(
        (cursor) => client.getPositions(address, { status: 'all', signal, ...(cursor !== null && { cursor }) }),
        positionId,
      ),
    refetchInterval: ({ state }) => refetchAfter(state.data?.block, 10_000),
  })
}

/** An account's settled positions, newest first, by page. */
export function settledPositionsQuery(client: ServiceClient, address: Address) {
  return infiniteQueryOptions({
    queryKey: [...serviceKey('positions', client), address, 'settled'],
    queryFn: ({ pageParam, signal }) =>
      client.getPositions(address, {
        status: 'settled',
        limit: settledPageSize,
        signal,
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/**
 * Reads an account's positions, newest first, until the position or a lower id appears.
 *
 * @throws {InvalidResponseError} if the pages are not in that order.
 * @throws {PositionNotReachedError} if it is not reached within 20 pages, because a faulty service could return pages
 * endlessly.
 */
export async function findPosition(
  readPage: (cursor: string | null) => Promise<AccountPositions>,
  positionId: bigint,
): Promise<AccountPositions> {
  let cursor: string | null = null
  let before: bigint | null = null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await readPage(cursor)
    const positions = page.positions.filter((position) => position.positionId === positionId)
    const last = page.positions.at(-1)?.positionId
    cursor = page.nextCursor ?? null
    if (positions.length > 0 || cursor === null || (last !== undefined && last < positionId)) {
      return { ...page, positions, withdrawable: creditsOf({ ...page, positions }), nextCursor: null }
    }
    if (last === undefined || (before !== null && last >= before)) {
      throw new InvalidResponseError('The service does not list positions newest first.')
    }
    before = last
  }
  throw new PositionNotReachedError(maxPages)
}

function creditsOf({ positions, withdrawable = [] }: AccountPositions) {
  return withdrawable.filter(({ token }) =>
    positions.some(({ loanToken }) => loanToken !== undefined && isAddressEqual(loanToken, token)),
  )
}
