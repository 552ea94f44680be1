import { type AccountPositions, type BorrowerClient, InvalidResponseError } from '@firmquote/sdk'
import type { QueryFunction } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { PositionNotReachedError } from '../errors.ts'
import { refetchAfter } from './awaitedBlock.ts'
import type { ServiceQuery } from './queries.ts'
import { serviceKey } from './queryKeys.ts'

/** Settled positions per page. */
const settledPageSize = 25

/** Maximum number of pages to search for a position, newest first: 10,000 positions if the pages are full. */
const maxPages = 20

/**
 * Query for one of an account's positions, open or settled. Has the same result type as `positionsQuery`. `positions`
 * contains the position once, or twice if the account is both borrower and maker. `positions` is empty if the account
 * has no such position. `withdrawable` contains only the position's token.
 */
export function positionQuery(
  client: BorrowerClient,
  address: Address,
  positionId: bigint,
): ServiceQuery<AccountPositions> {
  return {
    // Query keys are serialized as JSON, which has no bigint.
    queryKey: serviceKey('positions', client, address, positionId.toString()),
    queryFn: ({ signal }) =>
      findPosition(
        (cursor) => client.getPositions(address, { status: 'all', signal, ...(cursor !== null && { cursor }) }),
        positionId,
      ),
    refetchInterval: ({ state }) => refetchAfter(state.data?.block, 10_000),
  }
}

type SettledQuery = {
  queryKey: readonly unknown[]
  queryFn: QueryFunction<AccountPositions, readonly unknown[], string | null>
  initialPageParam: string | null
  getNextPageParam: (page: AccountPositions) => string | null | undefined
}

/** Paginated query for an account's settled positions, newest first. */
export function settledPositionsQuery(client: BorrowerClient, address: Address): SettledQuery {
  return {
    queryKey: serviceKey('positions', client, address, 'settled'),
    queryFn: ({ pageParam, signal }) =>
      client.getPositions(address, {
        status: 'settled',
        limit: settledPageSize,
        signal,
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  }
}

/**
 * Reads an account's positions, newest first, until it finds the position or a lower id.
 *
 * @throws {InvalidResponseError} if the pages are not sorted newest first.
 * @throws {PositionNotReachedError} if the position is not found within 20 pages. The limit exists because a faulty
 * service could return pages forever.
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
