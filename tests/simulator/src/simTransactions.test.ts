import { expect, test } from '@jest/globals'
import { createSimTransactions, nextStatement, type Transaction } from './simTransactions.ts'
import { createTimeline } from './timeline.ts'

/** Transactions that take so many milliseconds between two statements, and what they have come to, in the order of their ends. */
function start() {
  const timeline = createTimeline()
  const transactions = createSimTransactions(timeline)
  const row = { value: 0 }
  const ended: string[] = []
  function* add(isLocking: boolean): Transaction<number> {
    yield isLocking ? { locks: 'row' } : nextStatement
    const { value } = row
    yield nextStatement
    row.value = value + 1
    return row.value
  }
  const run = (name: string, { isLocking = true, pause = 5, isGone = (): boolean => false } = {}) =>
    transactions.run(add(isLocking), { pause: () => pause, isGone }, (end) => {
      const what = 'value' in end ? `${end.value} locked at ${end.lockedAt}` : 'error' in end ? 'error' : 'rolled back'
      ended.push(`${name}: ${what}`)
    })
  const finish = () => {
    while (timeline.step(1_000));
    return { ended, value: row.value }
  }
  return { timeline, transactions, run, finish }
}

test("behavior: who wants a row's lock waits for its holder's end, in the order of their coming", () => {
  const { run, finish } = start()
  for (const name of ['one', 'two', 'three']) run(name)
  const ended = ['one: 1 locked at 5', 'two: 2 locked at 10', 'three: 3 locked at 15']
  expect(finish()).toEqual({ ended, value: 3 })
})

test('behavior: without a lock one of two changes is lost', () => {
  const { run, finish } = start()
  run('one', { isLocking: false })
  run('two', { isLocking: false })
  expect(finish()).toEqual({ ended: ['one: 1 locked at null', 'two: 1 locked at null'], value: 1 })
})

test('behavior: who is gone changes nothing, and holds nobody up', () => {
  const { timeline, run, finish } = start()
  run('gone', { isGone: () => timeline.now() >= 8 })
  run('next')
  expect(finish()).toEqual({ ended: ['gone: rolled back', 'next: 1 locked at 10'], value: 1 })
})

test('behavior: a failover rolls back what is under way and what waits, and frees the rows', () => {
  const { timeline, transactions, run, finish } = start()
  run('holds')
  run('waits')
  timeline.at(7, () => {
    transactions.failOver()
    run('after')
  })
  const { ended, value } = finish()
  expect(new Set(ended)).toEqual(new Set(['holds: rolled back', 'waits: rolled back', 'after: 1 locked at 12']))
  expect(value).toBe(1)
})
