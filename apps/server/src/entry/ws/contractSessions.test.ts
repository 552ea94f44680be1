import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { type ContractSessions, createContractSessions } from './contractSessions.ts'

let clock: FakeClock
let sessions: ContractSessions
let block: number
let answers: (boolean | null)[]
let asked: number[]
let withdrawn: number[]

beforeEach(() => {
  clock = createFakeClock()
  block = 1
  answers = []
  asked = []
  withdrawn = []
  sessions = createContractSessions({
    clock,
    headHash: () => numberToHex(block, { size: 32 }),
    readSignatures: async (signatures) => {
      asked.push(signatures.length)
      return signatures.map((_, index) => (answers[index] !== undefined ? answers[index] : true))
    },
  })
})

const watch = (number: number) => {
  const signature = { account: zeroAddress, digest: numberToHex(number, { size: 32 }), signature: '0x' as Hex }
  return sessions.watch(signature, () => withdrawn.push(number))
}

async function poll(): Promise<void> {
  clock.advance(500)
  await new Promise(setImmediate)
}

describe('createContractSessions', () => {
  test('default: all contracts are called once per block, and withdrawn sessions end', async () => {
    watch(1)
    watch(2)
    await poll()
    await poll()
    expect(asked).toEqual([2])
    block = 2
    answers = [true, false]
    await poll()
    expect([asked, withdrawn]).toEqual([[2, 2], [2]])
    block = 3
    await poll()
    expect(asked).toEqual([2, 2, 1])
  })

  test('behavior: an unknown answer is requested again and ends no session', async () => {
    watch(1)
    answers = [null]
    await poll()
    await poll()
    expect([asked, withdrawn]).toEqual([[1, 1], []])
    answers = [false]
    await poll()
    expect(withdrawn).toEqual([1])
  })

  test('behavior: without sessions nothing is read', async () => {
    watch(1)()
    await poll()
    block = 2
    await poll()
    expect(asked).toEqual([])
  })
})
