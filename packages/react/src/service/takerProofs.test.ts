import { afterEach, expect, test } from '@jest/globals'
import { deleteRefusedProof, findProof, saveProof } from './takerProofs.ts'

const taker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const lowerCase = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signedAt = 1_800_000_000
const proof = { timestamp: signedAt, signature: '0x1234' } as const

afterEach(() => deleteRefusedProof({ taker }, 'TAKER_PROOF_INVALID'))

test('default: a proof is stored for its account, regardless of address case', () => {
  saveProof({ taker }, proof)
  const found = [taker, lowerCase, other].map((account) =>
    findProof({ taker: account as typeof taker }, signedAt * 1000),
  )
  expect(found).toEqual([proof, proof, null])
  deleteRefusedProof({ taker: lowerCase }, 'TAKER_PROOF_INVALID')
  expect(findProof({ taker }, signedAt * 1000)).toBeNull()
})

test.each([
  [86_339, proof],
  [86_340, null],
])('behavior: %s seconds later it is %j, a minute before the service ends it', (seconds, found) => {
  saveProof({ taker }, proof)
  expect(findProof({ taker }, (signedAt + seconds) * 1000)).toEqual(found)
})

test('behavior: a proof is found only for requests with the same shareRecord', () => {
  saveProof({ taker, shareRecord: true }, proof)
  expect(findProof({ taker }, signedAt * 1000)).toBeNull()
  expect(findProof({ taker, shareRecord: true }, signedAt * 1000)).toEqual(proof)
  deleteRefusedProof({ taker }, 'TAKER_PROOF_INVALID')
  expect(findProof({ taker, shareRecord: true }, signedAt * 1000)).toEqual(proof)
  deleteRefusedProof({ taker, shareRecord: true }, 'TAKER_PROOF_INVALID')
  expect(findProof({ taker, shareRecord: true }, signedAt * 1000)).toBeNull()
})

test('behavior: a proof is kept unless the service rejects it or its quota is used up', () => {
  const isKept = (code: string) => {
    saveProof({ taker }, proof)
    deleteRefusedProof({ taker }, code)
    return findProof({ taker }, signedAt * 1000) !== null
  }
  const codes = ['TAKER_PROOF_INVALID', 'TOO_MANY_OPEN', 'RATE_LIMITED', 'OVERLOADED', 'CHAIN_UNAVAILABLE']
  expect(codes.map(isKept)).toEqual([false, false, false, true, true])
  saveProof({ taker }, proof)
  deleteRefusedProof({}, 'TAKER_PROOF_INVALID')
  expect(findProof({ taker }, signedAt * 1000)).toEqual(proof)
})
