import { expect, test } from '@jest/globals'
import { openStorage } from './browserStorage.ts'
import { findProof, forgetProof, keepProof } from './takerProofs.ts'

const taker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signedAt = 1_800_000_000
const proof = { timestamp: signedAt, signature: '0x1234' } as const

/** Nothing but memory. */
const storage = () =>
  openStorage(() => {
    throw new TypeError('forbidden')
  })

test('default: a proof is kept for its account, whatever the case of its letters', () => {
  const kept = storage()
  keepProof(kept, taker, proof)
  const find = (account: typeof taker | typeof other) => findProof(kept, account, signedAt * 1000)
  expect(find(taker)).toEqual(proof)
  expect(find(taker.toLowerCase() as typeof taker)).toEqual(proof)
  expect(find(other)).toBeNull()
  forgetProof(kept, taker)
  expect(find(taker)).toBeNull()
})

test.each([
  [86_339, proof],
  [86_340, null],
])('behavior: %s seconds later it is %j, a minute before the service ends it', (seconds, found) => {
  const kept = storage()
  keepProof(kept, taker, proof)
  expect(findProof(kept, taker, (signedAt + seconds) * 1000)).toEqual(found)
})

test.each(['', 'null', '{}', '[]', '{"timestamp":"1","signature":"0x"}', '{"timestamp":1,"signature":"secret"}', '{'])(
  'behavior: what was put there by something else is no proof: %j',
  (text) => {
    const kept = storage()
    kept.setItem(`firmquote.takerProof.${taker.toLowerCase()}`, text)
    expect(findProof(kept, taker, 0)).toBeNull()
  },
)
