import { describe, expect, test } from '@jest/globals'
import { createSlicedTask, yieldToEventLoop } from './eventLoop.ts'

describe('createSlicedTask', () => {
  test('default: runs once in the next iteration, even if scheduled several times', async () => {
    let runs = 0
    const task = createSlicedTask(() => {
      runs += 1
    })
    task.schedule()
    task.schedule()
    expect([runs, task.isScheduled()]).toEqual([0, true])
    await yieldToEventLoop()
    await yieldToEventLoop()
    expect([runs, task.isScheduled()]).toEqual([1, false])
    task.schedule()
    await yieldToEventLoop()
    expect(runs).toBe(2)
  })

  test('behavior: a slice that schedules the next lets I/O and timers run in between', async () => {
    const order: string[] = []
    const task = createSlicedTask(() => {
      order.push('slice')
      if (order.length < 5) task.schedule()
    })
    task.schedule()
    setImmediate(() => order.push('other'))
    for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop()
    expect(order).toEqual(['slice', 'other', 'slice', 'slice', 'slice'])
  })
})
