import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { type ContractSessions, createContractSessions } from './contractSessions.ts'

let clock: FakeClock
let sessions: ContractSessions
let phase: number
let answer: boolean | null
let checked: number[]
let withdrawn: number[]

beforeEach(() => {
  clock = createFakeClock()
  phase = 0
  answer = true
  checked = []
  withdrawn = []
  sessions = createContractSessions({
    clock,
    intervalMs: 60_000,
    random: () => Uint8Array.of(phase),
    readSignatures: async (signatures) =>
      signatures.map(({ digest }) => {
        checked.push(Number(digest))
        return answer
      }),
  })
})

const watch = (number: number) => {
  const signature = { account: zeroAddress, digest: numberToHex(number, { size: 32 }), signature: '0x' as Hex }
  return sessions.watch(signature, () => withdrawn.push(number))
}

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await new Promise(setImmediate)
}

describe('createContractSessions', () => {
  test('default: each session is checked once a minute, at its own phase', async () => {
    watch(1)
    phase = 128
    watch(2)
    await pass(0)
    expect(checked).toEqual([1])
    await pass(29_999)
    expect(checked).toEqual([1])
    await pass(1)
    expect(checked).toEqual([1, 2])
    await pass(29_999)
    expect(checked).toEqual([1, 2])
    await pass(1)
    expect(checked).toEqual([1, 2, 1])
    expect(withdrawn).toEqual([])
  })

  test('behavior: a session whose signature is no longer accepted ends once', async () => {
    watch(1)
    answer = false
    await pass(0)
    await pass(120_000)
    expect([withdrawn, checked, clock.pending()]).toEqual([[1], [1], 0])
  })

  test('behavior: an unknown answer ends no session and is requested again after a minute', async () => {
    watch(1)
    answer = null
    await pass(0)
    expect(withdrawn).toEqual([])
    answer = false
    await pass(60_000)
    expect(withdrawn).toEqual([1])
  })

  test('behavior: a closed session is not checked, and an answer that is late has no effect', async () => {
    watch(1)()
    const close = watch(2)
    answer = false
    clock.advance(0)
    close()
    await pass(120_000)
    expect([checked, withdrawn, clock.pending()]).toEqual([[2], [], 0])
  })
})
