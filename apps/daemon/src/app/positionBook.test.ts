import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { exampleRfq } from '../../test/exampleRfq.ts'
import type { ChainPosition } from '../ports/positionChain.ts'
import { createPositionBook } from './positionBook.ts'

const maker: Address = '0x1111111111111111111111111111111111111111'
const other: Address = '0x5555555555555555555555555555555555555555'
const token: Address = '0x2222222222222222222222222222222222222222'

/** Creates a contract with `count` positions. Positions 3, 6, 9, … are the maker's; positions 6, 12, … have matured. */
function createContract(count: number) {
  const contract = { now: 10_000, positions: [] as ChainPosition[], reads: 0, asked: 0 }
  for (let number = 1; number <= count; number++) contract.positions.push(positionOf(number))
  return {
    ...{ contract },
    async readPositions(ids: readonly bigint[]) {
      contract.reads += 1
      contract.asked += ids.length
      const positions = ids.flatMap((id) => contract.positions[Number(id) - 1] ?? [])
      return { now: contract.now, positions }
    },
  }
}

function positionOf(number: number, changes: Partial<ChainPosition> = {}): ChainPosition {
  const { poolId, seriesKey } = exampleRfq
  return {
    ...{ positionId: BigInt(number), maker: number % 3 === 0 ? maker : other, borrower: other, poolId, seriesKey },
    ...{ loanToken: token, openedAt: 1, expiry: number % 6 === 0 ? 9_000 : 20_000, settled: false, notional: 1n },
    ...changes,
  }
}

const idsOf = (positions: readonly ChainPosition[]) => positions.map(({ positionId }) => Number(positionId))

describe('createPositionBook', () => {
  test('default: own positions of many pages, and matured ones', async () => {
    const chain = createContract(1_000)
    const book = createPositionBook(chain, { maker, holdsAll: false })
    expect(book.isRead()).toBe(false)
    await book.refresh()
    expect(book.isRead()).toBe(true)
    expect(book.own()).toHaveLength(333)
    expect(book.mature()).toHaveLength(166)
    expect(book.ownTokens()).toEqual([token])
    // The next refresh reads new positions and the positions that may have been settled.
    const { contract } = chain
    contract.asked = 0
    contract.positions[5] = positionOf(6, { settled: true })
    contract.positions.push(positionOf(1_001, { borrower: maker }))
    await book.refresh()
    expect(idsOf(book.own())).toContain(1_001)
    expect(idsOf(book.mature())).not.toContain(6)
    expect(contract.asked).toBe(240 + 166)
  })

  test("behavior: with holdsAll, includes others' positions", async () => {
    const chain = createContract(300)
    const book = createPositionBook(chain, { maker, holdsAll: true })
    chain.contract.now = 20_000
    await book.refresh()
    expect(book.mature()).toHaveLength(300)
    expect(book.own()).toHaveLength(100)
  })

  test('behavior: ids that a reorganisation reassigned or removed', async () => {
    const chain = createContract(3)
    const { contract } = chain
    const young = contract.now - 3_599
    contract.positions.push(positionOf(4, { openedAt: young, maker }), positionOf(5, { openedAt: young }))
    const book = createPositionBook(chain, { maker, holdsAll: false })
    await book.refresh()
    expect(idsOf(book.own())).toEqual([3, 4])
    contract.positions.length = 3
    await book.refresh()
    expect(idsOf(book.own())).toEqual([3])
    contract.positions.push(positionOf(4), positionOf(5, { maker }))
    await book.refresh()
    expect(idsOf(book.own())).toEqual([3, 5])
  })

  test('behavior: a failed read keeps the known positions and continues later', async () => {
    const chain = createContract(500)
    const { contract } = chain
    let fails = false
    const book = createPositionBook(
      {
        readPositions(ids) {
          if (fails) throw new TypeError('no')
          return chain.readPositions(ids)
        },
      },
      { maker, holdsAll: false },
    )
    await book.refresh()
    fails = true
    await expect(book.refresh()).rejects.toThrow('no')
    fails = false
    contract.positions.push(positionOf(501))
    await book.refresh()
    expect(book.own()).toHaveLength(167)
  })
})
