import { BaseError } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { type FillWitness, requireReverted } from './requireReverted.ts'

const hash = `0x${'11'.repeat(32)}` as const
const transactionHash = `0x${'22'.repeat(32)}` as const
const other = `0x${'33'.repeat(32)}` as const
const receipt = { transactionHash, blockNumber: 7n }
const client = { pollingInterval: 1 }

/** A service that has synced these blocks, one per read, and that has this quote. */
function witnessOf(synced: (number | Error)[], stored: object | Error): FillWitness & { reads: number } {
  const witness = {
    reads: 0,
    getHealth: async () => {
      const at = synced[Math.min(witness.reads, synced.length - 1)]
      witness.reads += 1
      if (at instanceof Error) throw at
      return { sync: { synced: at } }
    },
    getQuoteMarketQuote: async () => {
      if (stored instanceof Error) throw stored
      return stored
    },
  }
  return witness as never
}

const filledBy = (by: string) => ({ status: 'filled', seenAt: { transactionHash: by } })

test.each([
  ['an active quote', { status: 'active' }],
  ["another transaction's fill", filledBy(other)],
  ['a cancellation in the transaction', { status: 'cancelled', seenAt: { transactionHash } }],
  ['a quote that the service does not know', new BaseError('QUOTE_NOT_FOUND', 'Unknown.')],
])('behavior: %s does not contradict the revert', async (_, stored) => {
  const witness = witnessOf([5, 6, 7], stored)
  await expect(requireReverted(witness, client, receipt, [hash])).resolves.toBeUndefined()
  expect(witness.reads).toBe(3)
})

test('error: the service saw the transaction take the quote', async () => {
  await expect(
    requireReverted(witnessOf([7], filledBy(transactionHash)), client, receipt, [hash]),
  ).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
    shortMessage: expect.stringMatching(/reverted, but the service saw it take/),
  })
})

test.each([
  ['never reaches the block', witnessOf([6], { status: 'active' })],
  ['does not answer', witnessOf([new BaseError('TIMEOUT', 'Late.')], { status: 'active' })],
  ['does not return the quote', witnessOf([7], new BaseError('TIMEOUT', 'Late.'))],
])('error: the service %s', async (_, witness) => {
  await expect(requireReverted(witness, client, receipt, [hash])).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
    shortMessage: expect.stringMatching(/^Failed to confirm/),
  })
})
