import { type Address, isAddressEqual } from 'viem'
import type { ChainPosition, PositionChain } from '../ports/positionChain.ts'

/**
 * Unsettled positions: either the maker's own or everyone's. The contract numbers positions from 1. Each start reads
 * them in that order, from the contract alone.
 */
export type PositionBook = {
  /**
   * Reads new positions, and checks whether matured positions have been settled.
   *
   * @throws {ChainUnavailableError} if a read fails.
   */
  refresh(): Promise<void>
  /** Whether a refresh has reached the newest position. */
  isRead(): boolean
  /** Positions in which the account is the maker or borrower, as of the last refresh. */
  own(): ChainPosition[]
  /** Positions whose series has expired. */
  mature(): ChainPosition[]
  isOwn(position: Pick<ChainPosition, 'maker' | 'borrower'>): boolean
  /**
   * Loan tokens of all the account's positions, including settled ones, which may have left credits to withdraw.
   */
  ownTokens(): Address[]
}

/** Number of positions per request. */
const pageSize = 240
/** Maximum number of requests per refresh. The next refresh continues where the previous one stopped. */
const maxPages = 40
/** Maximum number of positions in memory. More positions are read once held positions have been settled. */
const maxPositions = 200_000
/**
 * Seconds after which a position is safe from reorganisations. Newer positions are read again, because a reorganisation
 * may remove them and reuse their numbers.
 */
const settledAge = 3_600

/** Creates the book. If `holdsAll` is true, the book includes other accounts' positions. */
export function createPositionBook(
  chain: Pick<PositionChain, 'readPositions'>,
  { maker, holdsAll }: { maker: Address; holdsAll: boolean },
): PositionBook {
  const held = new Map<bigint, ChainPosition>()
  const own = new Map<bigint, ChainPosition>()
  const tokens = new Set<Address>()
  let next = 1n
  let now = 0
  let isRead = false

  const isOwn: PositionBook['isOwn'] = (position) =>
    isAddressEqual(position.maker, maker) || isAddressEqual(position.borrower, maker)
  const mature = () => [...held.values()].filter(({ expiry }) => expiry <= now)

  function hold(positions: readonly ChainPosition[]): void {
    for (const position of positions) {
      if (isOwn(position)) tokens.add(position.loanToken)
      const { positionId, settled } = position
      drop(positionId)
      if (settled || !(holdsAll || isOwn(position))) continue
      held.set(positionId, position)
      if (isOwn(position)) own.set(positionId, position)
    }
  }

  function drop(positionId: bigint): void {
    held.delete(positionId)
    own.delete(positionId)
  }

  async function readNew(): Promise<void> {
    let from = next
    for (let page = 0; page < maxPages && held.size < maxPositions; page++) {
      const first = from
      const ids = Array.from({ length: pageSize }, (_, at) => first + BigInt(at))
      const read = await chain.readPositions(ids)
      now = read.now
      // Ids beyond the newest position.
      for (const id of ids.slice(read.positions.length)) drop(id)
      hold(read.positions)
      from += BigInt(read.positions.length)
      const young = read.positions.findIndex(({ openedAt }) => openedAt > now - settledAge)
      if (next === first) next = young === -1 ? from : first + BigInt(young)
      if (read.positions.length < pageSize) {
        isRead = true
        return
      }
    }
  }

  return {
    async refresh() {
      await readNew()
      // A position cannot be settled before its expiry.
      const matured = mature().map(({ positionId }) => positionId)
      const ids = [...matured.filter((id) => own.has(id)), ...matured.filter((id) => !own.has(id))]
      ids.length = Math.min(ids.length, maxPages * pageSize)
      for (let start = 0; start < ids.length; start += pageSize) {
        const page = ids.slice(start, start + pageSize)
        const { positions } = await chain.readPositions(page)
        const found = new Set(positions.map(({ positionId }) => positionId))
        for (const id of page) if (!found.has(id)) drop(id)
        hold(positions)
      }
    },
    isRead: () => isRead,
    own: () => [...own.values()],
    mature,
    isOwn,
    ownTokens: () => [...tokens],
  }
}
