import { describe, expect, test } from '@jest/globals'
import { formatEventId, parseEventId } from './eventId.ts'
import { toRfqId } from './rfqId.ts'

const text = '0123456789abcdef0123456789abcdef'
const rfqId = toRfqId(text)

describe('formatEventId and parseEventId', () => {
  test.each([0, 1, 9, 10, 999_999_999])('default: place %d comes back as it was', (seq) => {
    expect(formatEventId({ rfqId, seq })).toBe(`${text}:${seq}`)
    expect(parseEventId(formatEventId({ rfqId, seq }))).toEqual({ rfqId, seq })
  })

  test.each([
    '',
    text,
    `${text}:`,
    `${text}:-1`,
    `${text}:01`,
    `${text}:00`,
    `${text}:1.5`,
    `${text}:1e3`,
    `${text}:0x1`,
    `${text}:1000000000`,
    `${text}:1:2`,
    `${text} :1`,
    ` ${text}:1`,
    `${text}:1 `,
    `${text}:1\n`,
    `${text.toUpperCase()}:1`,
    `${text.slice(1)}:1`,
    `${text}0:1`,
    `${text}:١`,
  ])('error: %j is none', (other) => {
    expect(parseEventId(other)).toBeNull()
  })
})
