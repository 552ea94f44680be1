import { type AccountPositions, InvalidResponseError, type ServiceClient } from '@firmquote/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { PositionNotReachedError } from '../errors.ts'
import { refetchAfter } from './awaitedBlock.ts'
import { serviceKey } from './queryKeys.ts'

/** So many settled positions are shown before somebody asks for more. */
const settledAtOnce = 25

/** So many pages of positions, newest first, are looked through for one: of a service that fills them, 10,000 positions. */
const mostPages = 20

/**
 * One position of an account, open or settled, as `positionsQuery` has all of its open ones: `positions` has it once, twice for an
 * account that is both of its sides, or is empty where the account has no such position; `withdrawable` has its token alone.
 */
export function positionQuery(client: ServiceClient, address: Address, positionId: bigint) {
  return queryOptions({
    // A key is JSON, which has no bigint.
    queryKey: [...serviceKey('positions', client), address, positionId.toString()],
    queryFn: ({ signal }) =>
      findPosition(
        (cursor) => client.getPositions(address, { status: 'all', signal, ...(cursor !== null && { cursor }) }),
        positionId,
      ),
    refetchInterval: ({ state }) => refetchAfter(state.data?.block, 10_000),
  })
}

/** An account's settled positions, newest first, page by page. */
export function settledPositionsQuery(client: ServiceClient, address: Address) {
  return infiniteQueryOptions({
    queryKey: [...serviceKey('positions', client), address, 'settled'],
    queryFn: ({ pageParam, signal }) =>
      client.getPositions(address, {
        status: 'settled',
        limit: settledAtOnce,
        signal,
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/**
 * Reads an account's positions, newest first, until the one that is looked for has been passed.
 *
 * @throws {InvalidResponseError} when the pages are not in that order.
 * @throws {PositionNotReachedError} when it has not been passed within 20 pages: there might be no end to them.
 */
export async function findPosition(
  readPage: (cursor: string | null) => Promise<AccountPositions>,
  positionId: bigint,
): Promise<AccountPositions> {
  let cursor: string | null = null
  let before: bigint | null = null
  for (let pages = 0; pages < mostPages; pages += 1) {
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
  throw new PositionNotReachedError(mostPages)
}

function creditsOf({ positions, withdrawable = [] }: AccountPositions) {
  return withdrawable.filter(({ token }) =>
    positions.some(({ loanToken }) => loanToken !== undefined && isAddressEqual(loanToken, token)),
  )
}
