import { describe, expect, test } from '@jest/globals'
import { createTurnTask, nextTurn } from './turnTask.ts'

describe('createTurnTask', () => {
  test('default: runs once in the next turn, however often it is scheduled', async () => {
    let runs = 0
    const task = createTurnTask(() => {
      runs += 1
    })
    task.schedule()
    task.schedule()
    expect([runs, task.isScheduled()]).toEqual([0, true])
    await nextTurn()
    await nextTurn()
    expect([runs, task.isScheduled()]).toEqual([1, false])
    task.schedule()
    await nextTurn()
    expect(runs).toBe(2)
  })

  test('behavior: a slice that schedules the next lets I/O and timers in between', async () => {
    const order: string[] = []
    const task = createTurnTask(() => {
      order.push('slice')
      if (order.length < 5) task.schedule()
    })
    task.schedule()
    setImmediate(() => order.push('other'))
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(order).toEqual(['slice', 'other', 'slice', 'slice', 'slice'])
  })
})
