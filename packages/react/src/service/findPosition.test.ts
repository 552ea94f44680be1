import { type AccountPositions, type FixedPosition, InvalidResponseError } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { type Address, getAddress } from 'viem'
import { PositionNotReachedError } from '../errors.ts'
import { findPosition } from './findPosition.ts'

const [usd, eth]: Address[] = [`0x${'c'.repeat(40)}`, `0x${'d'.repeat(40)}`]
const position = (positionId: bigint, role: FixedPosition['role'] = 'borrower') =>
  ({ positionId, role, loanToken: usd && getAddress(usd) }) as FixedPosition

/** Serves pages of positions with the given ids, and records the pages read. */
function book(pages: readonly (readonly bigint[])[]) {
  const read: (string | null)[] = []
  const readPage = async (cursor: string | null): Promise<AccountPositions> => {
    read.push(cursor)
    const index = Number(cursor ?? 0)
    const positions = (pages[index] ?? []).map((id) => position(id))
    const withdrawable = [usd, eth].map((token) => ({ token: token as Address, amount: 5n }))
    const nextCursor = index + 1 < pages.length ? String(index + 1) : null
    return { address: usd as Address, block: 1, debts: [], positions, withdrawable, nextCursor }
  }
  return { read, readPage }
}

test('default: returns the page with the position, and only its token as withdrawable', async () => {
  const { read, readPage } = book([[9n, 8n], [7n, 6n], [5n]])
  const found = await findPosition(readPage, 6n)
  expect(found.positions.map(({ positionId }) => positionId)).toEqual([6n])
  expect(found.withdrawable).toEqual([{ token: usd, amount: 5n }])
  expect(found.nextCursor).toBeNull()
  expect(read).toEqual([null, '1'])
})

test('behavior: returns both sides of a position', async () => {
  const page = { address: usd, block: 1, debts: [], positions: [position(3n), position(3n, 'maker'), position(2n)] }
  const found = await findPosition(async () => page as AccountPositions, 3n)
  expect(found.positions.map(({ role }) => role)).toEqual(['borrower', 'maker'])
  expect(found.withdrawable).toEqual([])
})

test('behavior: stops where the position would be if the account does not have it', async () => {
  const { read, readPage } = book([[9n, 8n], [7n, 5n], [4n]])
  expect(await findPosition(readPage, 6n)).toMatchObject({ positions: [], withdrawable: [] })
  expect(read).toEqual([null, '1'])
  expect((await findPosition(book([[9n, 8n]]).readPage, 6n)).positions).toEqual([])
  expect((await findPosition(book([[]]).readPage, 6n)).positions).toEqual([])
  // The position is the last one on the last page.
  expect((await findPosition(book([[9n, 6n], [5n]]).readPage, 6n)).positions).toHaveLength(1)
})

test('error: gives up after twenty pages', async () => {
  let pages = 0
  const endless = async (): Promise<AccountPositions> => {
    pages += 1
    const positions = [position(1_000_000n - BigInt(pages))]
    return { address: usd as Address, block: 1, debts: [], positions, nextCursor: String(pages) }
  }
  await expect(findPosition(endless, 6n)).rejects.toThrow(PositionNotReachedError)
  expect(pages).toBe(20)
})

test('error: rejects pages that make no progress', async () => {
  await expect(findPosition(book([[9n], [9n], [9n]]).readPage, 6n)).rejects.toThrow(InvalidResponseError)
  await expect(findPosition(book([[9n], [], [5n]]).readPage, 6n)).rejects.toThrow(InvalidResponseError)
})
