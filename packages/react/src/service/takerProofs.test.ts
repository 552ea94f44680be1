import { afterEach, expect, test } from '@jest/globals'
import { deleteProof, findProof, saveProof } from './takerProofs.ts'

const taker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const lowerCase = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signedAt = 1_800_000_000
const proof = { timestamp: signedAt, signature: '0x1234' } as const

afterEach(() => deleteProof(taker))

test('default: a proof is stored for its account, regardless of address case', () => {
  saveProof(taker, proof)
  const found = [taker, lowerCase, other].map((account) => findProof(account as typeof taker, signedAt * 1000))
  expect(found).toEqual([proof, proof, null])
  deleteProof(lowerCase)
  expect(findProof(taker, signedAt * 1000)).toBeNull()
})

test.each([
  [86_339, proof],
  [86_340, null],
])('behavior: %s seconds later it is %j, a minute before the service ends it', (seconds, found) => {
  saveProof(taker, proof)
  expect(findProof(taker, (signedAt + seconds) * 1000)).toEqual(found)
})
