import { describe, expect, test } from '@jest/globals'
import { statusUpdateOf } from './statusUpdate.ts'

describe('statusUpdateOf', () => {
  test('default: an end is reported before and after the deadline', () => {
    for (const status of ['filled', 'cancelled'] as const) {
      for (const told of [false, true]) {
        for (const isOver of [false, true]) expect(statusUpdateOf({ status, told, isOver })).toBe(status)
      }
    }
  })

  test('behavior: a raised nonce is reported for live quotes, and in place of another end', () => {
    expect(statusUpdateOf({ status: 'nonce_raised', told: false, isOver: false })).toBe('nonce_raised')
    expect(statusUpdateOf({ status: 'nonce_raised', told: false, isOver: true })).toBeNull()
    expect(statusUpdateOf({ status: 'nonce_raised', told: true, isOver: true })).toBe('nonce_raised')
  })

  test('behavior: only a reported end is taken back', () => {
    for (const status of ['active', 'expired'] as const) {
      for (const isOver of [false, true]) {
        expect(statusUpdateOf({ status, told: true, isOver })).toBe('active')
        expect(statusUpdateOf({ status, told: false, isOver })).toBeNull()
      }
    }
  })
})
