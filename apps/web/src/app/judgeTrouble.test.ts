import { describe, expect, test } from '@jest/globals'
import { calmAge, entryOf, judgeTrouble, type Signs } from './judgeTrouble.ts'

const health = {
  status: 'degraded',
  database: 'ok',
  sync: { head: 10, synced: 9, lagSeconds: 40 },
  backers: { connected: 1 },
} as const
const lagging = (lagSeconds: number | null) => ({ ...health, sync: { ...health.sync, lagSeconds } })
const fine: Signs = { outage: null, online: true, newerPage: false, health: { ...health, status: 'ok' } }

describe('judgeTrouble', () => {
  test('default: none', () => {
    expect(judgeTrouble(fine)).toBeNull()
    expect(judgeTrouble({ ...fine, health: undefined })).toBeNull()
  })

  test('behavior: offline only where the browser says so and nothing answers', () => {
    const outage = { answeredAt: 7 }
    expect(judgeTrouble({ ...fine, online: false })).toBeNull()
    expect(judgeTrouble({ ...fine, outage })).toEqual({ kind: 'unanswered', answeredAt: 7 })
    expect(judgeTrouble({ ...fine, outage, online: false })).toEqual({ kind: 'offline', answeredAt: 7 })
  })

  test('behavior: an outage explains an old page, and that one explains the health', () => {
    const all = { ...fine, newerPage: true, health }
    expect(judgeTrouble(all)).toEqual({ kind: 'oldPage' })
    expect(judgeTrouble({ ...all, outage: { answeredAt: null } })).toEqual({ kind: 'unanswered', answeredAt: null })
  })

  test.each([
    ['database', { ...health, database: 'down' as const, sync: { ...health.sync, head: null } }, { kind: 'database' }],
    ['chain', { ...health, sync: { ...health.sync, head: null }, backers: { connected: 0 } }, { kind: 'chain' }],
    ['makers', { ...health, backers: { connected: 0 } }, { kind: 'noMakers' }],
    [
      'makers of a service that is well',
      { ...health, status: 'ok' as const, backers: { connected: 0 } },
      { kind: 'noMakers' },
    ],
    ['lag', health, { kind: 'behind', seconds: 40 }],
    ['a second', lagging(1), { kind: 'behind', seconds: 1 }],
    ['no second', lagging(0), { kind: 'behind', seconds: null }],
    ['nothing of it', lagging(null), { kind: 'behind', seconds: null }],
    ['nearly in time', lagging(-30), { kind: 'behind', seconds: null }],
    ['a clock that is behind', lagging(-31), { kind: 'clock' }],
  ])('behavior: what the service says of itself: %s', (_, said, trouble) => {
    expect(judgeTrouble({ ...fine, health: said })).toEqual(trouble)
  })
})

describe('calmAge', () => {
  test.each([
    [-5_000, 0],
    [9_999, 0],
    [10_000, 10],
    [59_999, 50],
    [60_000, 60],
    [119_999, 60],
    [3_720_000, 3_720],
  ])('default: %i ms are %i s', (milliseconds, seconds) => {
    expect(calmAge(milliseconds)).toBe(seconds)
  })
})

describe('entryOf', () => {
  test('default: the file of the module script, whatever stands before it', () => {
    const html = '<script src="/a.js"></script><script type="module" crossorigin src="/assets/index-1.js"></script>'
    expect(entryOf(html)).toBe('/assets/index-1.js')
    expect(entryOf('<p>Not Found</p>')).toBeNull()
    expect(entryOf('<script type="module">inline</script>')).toBeNull()
  })
})
