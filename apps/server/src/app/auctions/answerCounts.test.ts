import { type PublicRfqId, toPublicRfqId } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, expect, test } from '@jest/globals'
import { settle } from '../../../test/startHub.ts'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { type AnswerCounts, createAnswerCounts } from './answerCounts.ts'

const auctionDurationMs = 15_000

let clock: ReturnType<typeof createFakeClock>
let bus: ReturnType<typeof createInProcessBus>
let changes: number
let here: AnswerCounts
let there: AnswerCounts

const start = () =>
  createAnswerCounts({ bus, clock, auctionDurationMs }, () => {
    changes += 1
  })

beforeEach(() => {
  clock = createFakeClock(0)
  bus = createInProcessBus({
    onError: (error) => {
      throw error
    },
  })
  changes = 0
  here = start()
  there = start()
})

const rfqOf = (number: number) => toPublicRfqId(number.toString(16).padStart(32, '0'))

/** Sends an RFQ to makers on each instance. */
async function send(number: number, sent: { here?: string[]; there?: string[] }): Promise<PublicRfqId> {
  const rfqId = rfqOf(number)
  here.sent(rfqId, sent.here ?? [], false)
  there.sent(rfqId, sent.there ?? [], false)
  await settle()
  return rfqId
}

async function decline(counts: AnswerCounts, rfqId: PublicRfqId, ...makers: string[]) {
  for (const maker of makers) counts.declined(rfqId, maker)
  await settle()
}

const endRfq = () => clock.advance(auctionDurationMs + 1_000)
const counted = (rfqId: PublicRfqId) => [here, there].map((counts) => counts.count(rfqId, 60))

test('default: quotes and declines count, and silent keys change nothing', async () => {
  const silent = Array.from({ length: 50 }, (_, index) => `silent ${index}`)
  await decline(here, await send(1, { here: ['a', 'b', ...silent] }), 'a', 'b')
  endRfq()
  const rfqId = await send(2, { here: ['a', 'b', ...silent] })
  expect(here.count(rfqId, 60)).toEqual({ answered: 0, expected: 2, backers: 60 })
  here.quoted(rfqId, 'a')
  await decline(here, rfqId, 'b')
  expect(here.count(rfqId, 60)).toEqual({ answered: 2, expected: 2, backers: 60 })
})

test('behavior: a new maker counts once it has answered', async () => {
  const first = await send(1, { here: ['a'] })
  await decline(here, first, 'a')
  expect(here.count(first, 60)).toBeNull()
  const second = await send(2, { here: ['a', 'b'] })
  await decline(here, second, 'b')
  expect(here.count(second, 60)).toEqual({ answered: 1, expected: 2, backers: 60 })
})

test('behavior: an unanswered RFQ counts against its maker after the close', async () => {
  await decline(here, await send(1, { here: ['a', 'b'] }), 'a', 'b')
  await send(2, { here: ['a'] })
  await send(3, { here: ['a'] })
  clock.advance(auctionDurationMs + 999)
  expect(here.count(await send(4, { here: ['a', 'b'] }), 60)).toMatchObject({ expected: 2 })
  clock.advance(1)
  expect(here.count(await send(5, { here: ['a', 'b'] }), 60)).toMatchObject({ expected: 1 })
})

test('behavior: an answer after a third of the auction counts for its RFQ, but as silence in the record', async () => {
  await decline(here, await send(1, { here: ['prompt', 'late'] }), 'prompt', 'late')
  for (const number of [2, 3]) {
    const rfqId = await send(number, { here: ['prompt', 'late'] })
    clock.advance(auctionDurationMs / 3)
    await decline(here, rfqId, 'prompt')
    clock.advance(1)
    await decline(here, rfqId, 'late')
    expect(here.count(rfqId, 60)).toMatchObject({ answered: 2 })
    endRfq()
  }
  expect(here.count(await send(4, { here: ['prompt', 'late'] }), 60)).toMatchObject({ expected: 1 })
})

test('behavior: a maker on two instances counts once, and each instance counts the makers of the others', async () => {
  const first = await send(1, { here: ['a', 'b'], there: ['b', 'c'] })
  await decline(here, first, 'a', 'b')
  await decline(there, first, 'b', 'c')
  endRfq()
  const rfqId = await send(2, { here: ['a', 'b'], there: ['b', 'c'] })
  await decline(there, rfqId, 'b')
  // Each instance finds accepted quotes in the rows.
  for (const counts of [here, there]) counts.quoted(rfqId, 'a')
  const all = { answered: 2, expected: 3, backers: 60 }
  expect(counted(rfqId)).toEqual([all, all])
})

test('behavior: a maker that reconnects to another instance keeps its record', async () => {
  await decline(here, await send(1, { here: ['a'] }), 'a')
  for (const number of [2, 3]) {
    endRfq()
    await send(number, { here: ['a'] })
  }
  expect(there.count(await send(4, { there: ['a'] }), 60)).toMatchObject({ expected: 1 })
  endRfq()
  expect(there.count(await send(5, { there: ['a'] }), 60)).toBeNull()
})

test('behavior: an instance that joins late asks the others', async () => {
  await decline(here, await send(1, { here: ['a', 'b'] }), 'a', 'b')
  endRfq()
  const rfqId = await send(2, { here: ['a', 'b'] })
  await decline(here, rfqId, 'b')
  const late = start()
  late.sent(rfqId, [], true)
  await settle()
  expect(late.count(rfqId, 60)).toEqual({ answered: 1, expected: 2, backers: 60 })
})

test('behavior: a repeated decline, or one of an unknown RFQ, changes nothing', async () => {
  const rfqId = await send(1, { here: ['a'] })
  await decline(here, rfqId, 'a')
  const before = changes
  await decline(here, rfqId, 'a')
  await decline(here, rfqOf(9), 'a')
  expect(changes).toBe(before)
  expect(here.count(rfqOf(9), 60)).toBeNull()
})
