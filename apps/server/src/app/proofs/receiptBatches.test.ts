import { randomBytes } from 'node:crypto'
import type { Receipt } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { describe, expect, test } from '@jest/globals'
import { createReceiptBatches } from './receiptBatches.ts'

function start(signDigest: () => `0x${string}` = () => '0x') {
  const clock = createFakeClock()
  const times: number[] = []
  const errors: string[] = []
  const nothing = () => {}
  const log = { debug: nothing, info: nothing, warn: nothing, error: (_: object, text: string) => errors.push(text) }
  const batches = createReceiptBatches(
    { clock, random: (bytes) => randomBytes(bytes), log },
    {
      log: 'x/log/1',
      intervalMs: 50,
      signDigest: () => {
        times.push(clock.monotonic())
        return signDigest()
      },
    },
  )
  const delivered: (Receipt | null)[] = []
  const add = (requester: object = {}) =>
    batches.add(requester, { record: new Uint8Array(8), dueAt: 0 }, (receipt) => delivered.push(receipt))
  const began = clock.monotonic()
  return { clock, batches, add, delivered, errors, times: () => times.map((time) => time - began) }
}

describe('createReceiptBatches', () => {
  test('default: signs the first claim at once, then all claims of the interval together', () => {
    const { clock, add, delivered, times } = start()
    add()
    expect(delivered).toHaveLength(0)
    clock.advance(0)
    expect(delivered).toHaveLength(1)
    clock.advance(10)
    for (const _ of [1, 2, 3]) add()
    clock.advance(39)
    expect(delivered).toHaveLength(1)
    clock.advance(1)
    expect(delivered).toHaveLength(4)
    expect(times()).toEqual([0, 50])
    expect(delivered.map((receipt) => receipt?.index)).toEqual([0, 0, 1, 2])
    clock.advance(1_000)
    expect(times()).toHaveLength(2)
  })

  test('behavior: one signature an interval, however many claims', () => {
    const { clock, add, delivered, times } = start()
    for (let at = 0; at < 999; at += 1) {
      add()
      clock.advance(1)
    }
    expect(times()).toHaveLength(20)
    clock.advance(50)
    expect(delivered).toHaveLength(999)
  })

  test('behavior: a flush signs and delivers what waits, and leaves no timer', () => {
    const { clock, batches, add, delivered, times } = start()
    add()
    batches.flush()
    add()
    batches.flush()
    expect(delivered).toHaveLength(2)
    batches.flush()
    clock.advance(1_000)
    expect(times()).toEqual([0, 0])
  })

  test('error: a requester with too many claims in a batch gets none for the others', () => {
    const { clock, add, delivered } = start()
    const [one, two] = [{}, {}]
    for (let count = 0; count < 257; count += 1) add(one)
    expect(delivered).toEqual([null])
    add(two)
    clock.advance(0)
    expect(delivered.filter((receipt) => receipt !== null)).toHaveLength(257)
    add(one)
    clock.advance(50)
    expect(delivered.at(-1)).toMatchObject({ index: 0 })
  })

  test('behavior: a full batch is signed at once', () => {
    const { clock, add, delivered, times } = start()
    for (let count = 0; count < 1_023; count += 1) add()
    expect(delivered).toEqual([])
    for (let count = 0; count < 2; count += 1) add()
    expect(delivered).toHaveLength(1_024)
    expect(delivered.at(-1)?.path).toHaveLength(10)
    clock.advance(50)
    expect([delivered.length, times()]).toEqual([1_025, [0, 50]])
  })

  test('error: a failed signature delivers none, and the next batch is signed', () => {
    let fails = true
    const { clock, add, delivered, errors } = start(() => {
      if (fails) throw new TypeError('no key')
      return '0x'
    })
    add()
    clock.advance(0)
    expect([delivered, errors]).toEqual([[null], ['failed to sign receipts']])
    fails = false
    add()
    clock.advance(50)
    expect(delivered.at(-1)).not.toBeNull()
  })

  test('error: a failing receiver does not keep others from their receipts', () => {
    const { clock, batches, add, delivered, errors } = start()
    batches.add({}, { record: new Uint8Array(8), dueAt: 0 }, () => {
      throw new TypeError('closed')
    })
    add()
    clock.advance(0)
    expect([delivered.length, errors]).toEqual([1, ['failed to deliver a receipt']])
  })
})
