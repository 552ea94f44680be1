import { describe, expect, test } from '@jest/globals'
import {
  AbortedError,
  ConnectionError,
  InvalidResponseError,
  ServiceError,
  StreamError,
  TimeoutError,
} from '../errors.ts'
import { keyedRetryDelay, readRetryDelay, resumeDelay } from './retryPolicy.ts'

const broken = new ConnectionError('It broke.', { sent: 'maybe' })
const ended = new StreamError('STREAM_INTERRUPTED', 'It ended.', { rfqId: null })
const late = new TimeoutError('No answer.', { sent: 'maybe', timeoutMs: 1 })
const aborted = new AbortedError({ sent: 'maybe' })
const html = (status: number) => new InvalidResponseError('It is not JSON.', { status })
const refused = (status: number, retryAfterMs?: number) =>
  new ServiceError('OVERLOADED', 'No.', { status, ...(retryAfterMs !== undefined && { retryAfterMs }) })

describe('keyedRetryDelay', () => {
  test.each([
    [0, 3_500],
    [0.999_999, 7_000],
  ])('default: with luck %d its waits take about %d ms in all: longer than a restart', (random, total) => {
    const waits = Array.from({ length: 8 }, (_, attempt) => keyedRetryDelay(broken, attempt, random))
    expect(waits.slice(6)).toEqual([null, null])
    const sum = waits.reduce<number>((all, wait) => all + (wait ?? 0), 0)
    expect(Math.abs(sum - total)).toBeLessThan(10)
    expect(sum).toBeGreaterThan(2_000)
  })

  test.each([
    ['a broken connection', broken, 100],
    ['a stream that ended', ended, 100],
    ['502 of a proxy', html(502), 100],
    ['503 of a proxy', html(503), 100],
    ['504 of a proxy', html(504), 100],
    ['503 with Retry-After', refused(503, 5_000), 5_000],
    ['503 with Retry-After 0: not at once', refused(503, 0), 100],
    ['503 with a long Retry-After', refused(503, 5_001), null],
    ['503 without Retry-After', refused(503), null],
    ['500', refused(500, 0), null],
    ['429', refused(429, 0), null],
    ['an answer that does not fit', html(200), null],
    ['an answer of another proxy', html(500), null],
    ['no answer in time', late, null],
    ['an abort', aborted, null],
    ['a defect', new TypeError('oops'), null],
  ])('behavior: %s', (_what, error, wait) => {
    expect(keyedRetryDelay(error, 0, 0)).toBe(wait)
  })
})

describe('resumeDelay', () => {
  test('default: never gives up, and waits at most 2 s', () => {
    expect([0, 1, 4, 100, 100_000].map((attempt) => resumeDelay(broken, attempt, 0.999_999))).toEqual([
      199, 399, 1_999, 1_999, 1_999,
    ])
    expect([0, 1, 4, 100].map((attempt) => resumeDelay(broken, attempt, 0))).toEqual([100, 200, 1_000, 1_000])
  })

  test.each([
    ['a stream that ended', ended, 100],
    ['no answer in time', late, 100],
    ['502 of a proxy', html(502), 100],
    ['500', refused(500), 100],
    ['503 with Retry-After', refused(503, 7_000), 7_000],
    ['499', refused(499, 0), null],
    ['404', refused(404), null],
    ['an answer that does not fit', html(200), null],
    ['an abort', aborted, null],
    ['a defect', new TypeError('oops'), null],
  ])('behavior: %s', (_what, error, wait) => {
    expect(resumeDelay(error, 0, 0)).toBe(wait)
  })
})

describe('readRetryDelay', () => {
  test('default: twice, soon', () => {
    expect([0, 1, 2].map((attempt) => readRetryDelay(broken, attempt, 0.5))).toEqual([100, 200, null])
    expect([502, 503, 504].map((status) => readRetryDelay(html(status), 1, 0.5))).toEqual([200, 200, 200])
    expect(readRetryDelay(html(500), 0, 0.5)).toBeNull()
    expect(readRetryDelay(refused(503, 5_000), 1, 0.5)).toBe(5_000)
    expect(readRetryDelay(refused(503, 5_001), 1, 0.5)).toBeNull()
  })
})
