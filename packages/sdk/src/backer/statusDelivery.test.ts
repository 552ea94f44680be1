import type { QuoteStatusMessage } from '@firmquote/core'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { StatusDelivery } from './statusDelivery.ts'

const statusOf = (seq: number): QuoteStatusMessage => ({
  type: 'quote_status',
  seq,
  hash: `0x${'11'.repeat(32)}`,
  status: 'cancelled',
  final: false,
  block: 1,
})

let told: string[]
beforeEach(() => {
  told = []
})

function deliveryFrom(resumeFrom: number | null) {
  const delivery = new StatusDelivery(resumeFrom, {
    ask: (seq) => told.push(`resume ${seq}`),
    deliver: ({ seq }) => told.push(`status ${seq}`),
    resumed: ({ seq, complete }) => told.push(`resumed ${seq} ${complete}`),
  })
  return {
    delivery,
    receive: (...numbers: number[]) => {
      for (const seq of numbers) delivery.receive(statusOf(seq))
    },
  }
}

describe('StatusDelivery', () => {
  test('default: from the first connection on', () => {
    const { delivery, receive } = deliveryFrom(null)
    delivery.connected(7)
    receive(8, 9)
    expect(told).toEqual(['status 8', 'status 9'])
  })

  test('behavior: requests missed updates and delivers duplicates once', () => {
    const { delivery, receive } = deliveryFrom(null)
    delivery.connected(0)
    receive(1, 2)
    delivery.connected(2)
    expect(told).toEqual(['status 1', 'status 2'])
    delivery.connected(5)
    receive(3, 4, 4, 3, 5)
    delivery.resumed({ seq: 5 })
    receive(5, 6)
    expect(told.slice(2)).toEqual(['resume 2', 'status 3', 'status 4', 'status 5', 'resumed 5 true', 'status 6'])
  })

  test('behavior: continues where another process stopped', () => {
    const { delivery, receive } = deliveryFrom(3)
    delivery.connected(5)
    receive(4, 5)
    delivery.resumed({ seq: 5 })
    expect(told).toEqual(['resume 3', 'status 4', 'status 5', 'resumed 5 true'])
  })

  test('behavior: requests the updates in a gap and delivers later ones in order', () => {
    const { delivery, receive } = deliveryFrom(null)
    delivery.connected(0)
    receive(1, 4, 5)
    expect(told).toEqual(['status 1', 'resume 1'])
    receive(2, 3, 4, 5)
    delivery.resumed({ seq: 5 })
    expect(told.slice(2)).toEqual(['status 2', 'status 3', 'status 4', 'status 5', 'resumed 5 true'])
  })

  test('behavior: requests updates after the end of a replay again', () => {
    const { delivery, receive } = deliveryFrom(1)
    delivery.connected(3)
    receive(2, 3)
    delivery.resumed({ seq: 4 })
    receive(4)
    delivery.resumed({ seq: 4 })
    expect(told).toEqual(['resume 1', 'status 2', 'status 3', 'resume 3', 'status 4', 'resumed 4 true'])
  })

  test('error: updates that the service has pruned', () => {
    const { delivery, receive } = deliveryFrom(5)
    delivery.connected(22)
    receive(20, 21, 22)
    delivery.resumed({ seq: 22 })
    receive(20, 21, 22)
    delivery.resumed({ seq: 22 })
    receive(23)
    expect(told).toEqual([
      ...['resume 5', 'resume 19', 'status 20', 'status 21', 'status 22', 'resumed 22 false', 'status 23'],
    ])
    delivery.connected(24)
    receive(24)
    delivery.resumed({ seq: 24 })
    expect(told.at(-1)).toBe('resumed 24 true')
  })

  test('error: all updates have been pruned', () => {
    const { delivery, receive } = deliveryFrom(5)
    delivery.connected(9)
    delivery.resumed({ seq: 9 })
    receive(10)
    expect(told).toEqual(['resume 5', 'resumed 9 false', 'status 10'])
  })

  test('error: the sequence went backwards', () => {
    const { delivery, receive } = deliveryFrom(9)
    delivery.connected(4)
    delivery.resumed({ seq: 4 })
    receive(5)
    expect(told).toEqual(['resume 9', 'resumed 4 false', 'status 5'])
  })

  test('behavior: retries a resume only while one is pending', () => {
    const { delivery, receive } = deliveryFrom(1)
    delivery.retry()
    delivery.connected(2)
    delivery.retry()
    receive(2)
    delivery.resumed({ seq: 2 })
    delivery.retry()
    delivery.resumed({ seq: 3 })
    expect(told).toEqual(['resume 1', 'resume 1', 'status 2', 'resumed 2 true'])
  })

  test('behavior: a service without sequence numbers', () => {
    const { delivery, receive } = deliveryFrom(null)
    delivery.connected(undefined)
    receive(4, 4, 5)
    expect(told).toEqual(['status 4', 'status 5'])
  })
})
