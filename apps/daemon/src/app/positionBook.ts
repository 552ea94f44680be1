import { type Address, isAddressEqual } from 'viem'
import type { ChainPosition, PositionChain } from '../ports/positionChain.ts'

/**
 * The positions that are not settled: the maker's own, or all. The contract numbers positions from 1 on, so they are read in that
 * order, from the first one after each start; nothing is stored, and no service and no event is needed.
 */
export type PositionBook = {
  /** Reads what is new, and whether what has matured was settled. @throws {ChainUnavailableError} when it could not be read. */
  refresh(): Promise<void>
  /** Whether a refresh has come to the newest position. */
  isRead(): boolean
  /** The maker's own, as a maker or as a borrower, as of the last refresh. */
  own(): ChainPosition[]
  /** All that are held whose series has expired. */
  mature(): ChainPosition[]
  isOwn(position: Pick<ChainPosition, 'maker' | 'borrower'>): boolean
  /** The loan tokens of all own positions, settled ones as well: there may be credits of them. */
  ownTokens(): Address[]
}

/** Positions of one request. */
const pageSize = 240
/** Requests of one refresh: the rest follows in the next one. */
const mostPages = 40
/** Positions that are held at most: a bound on memory. Further ones are read once others were settled. */
const mostHeld = 200_000
/** A position that is younger may be undone by a reorganisation, and its number given to another: it is read again. Seconds. */
const settledAge = 3_600

/** Creates it. `holdsAll`: whether others' positions are held as well. */
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
    for (let page = 0; page < mostPages && held.size < mostHeld; page++) {
      const first = from
      const ids = Array.from({ length: pageSize }, (_, at) => first + BigInt(at))
      const read = await chain.readPositions(ids)
      now = read.now
      // Numbers that there are no more.
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
      // Before its expiry a position cannot be settled.
      const matured = mature().map(({ positionId }) => positionId)
      const ids = [...matured.filter((id) => own.has(id)), ...matured.filter((id) => !own.has(id))]
      ids.length = Math.min(ids.length, mostPages * pageSize)
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
