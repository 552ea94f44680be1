import { readFileSync } from 'node:fs'
import { type Endpoint, endpoints } from '@firmquote/core/endpoints'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { tableRows } from '@firmquote/test-support/tableRows'
import { describe, expect, test } from '@jest/globals'
import { createReadBudgets, readCosts } from './limitReads.ts'

const limits = { readsPerMinute: 360, rfqsPerMinute: 12 }
const integrator = { id: 'ab'.repeat(32), limits: { rfqsPerMinute: 120, openRfqs: 4 } }

/** Creates budgets, and a function that returns how many reads of cost 1 a client can still afford. */
function create() {
  const clock = createFakeClock()
  const budgets = createReadBudgets(clock, limits)
  const count = (client: Parameters<typeof budgets.spend>[1]) => {
    let reads = 0
    while (reads < 10_000 && budgets.spend(1, client) === 0) reads += 1
    return reads
  }
  return { clock, budgets, count }
}

describe('createReadBudgets', () => {
  test('default: a client can send a sixth of its reads at once, and the rest as the minute passes', () => {
    const { clock, count } = create()
    expect(count({ ip: '192.0.2.1' })).toBe(60)
    clock.advance(166)
    expect(count({ ip: '192.0.2.1' })).toBe(0)
    clock.advance(1)
    expect(count({ ip: '192.0.2.1' })).toBe(1)
    clock.advance(3_600_000)
    expect(count({ ip: '192.0.2.1' })).toBe(60)
  })

  test('error: an expensive read has to wait until it can be paid for, and the refusal costs nothing', () => {
    const { clock, budgets, count } = create()
    const client = { ip: '192.0.2.1' }
    expect(count(client)).toBe(60)
    clock.advance(500)
    // Three of eight are left, and six accrue in a second.
    expect(budgets.spend(8, client)).toBe(1)
    expect(budgets.spend(8, client)).toBe(1)
    expect(budgets.spend(3, client)).toBe(0)
    expect(budgets.spend(1, client)).toBe(1)
  })

  test('behavior: the most expensive read is affordable under the smallest limit', () => {
    const budgets = createReadBudgets(createFakeClock(), { readsPerMinute: 1, rfqsPerMinute: 12 })
    const costs = Object.values(readCosts)
    for (const [turn, cost] of costs.entries()) expect(budgets.spend(cost, { ip: `192.0.2.${turn}` })).toBe(0)
  })

  test('behavior: addresses have separate budgets, and loopback has none', () => {
    const { count } = create()
    expect(['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1'].map((ip) => count({ ip }))).toEqual([60, 60, 0])
    for (const ip of ['127.0.0.1', '::ffff:127.0.0.1', '::1']) expect(count({ ip })).toBe(10_000)
  })

  test('behavior: all addresses of a /64 share a budget, and its /48 has four times as much', () => {
    const { count } = create()
    expect(['2001:db8:1:1::1', '2001:db8:1:1::2'].map((ip) => count({ ip }))).toEqual([60, 0])
    const others = [2, 3, 4, 5].map((network) => count({ ip: `2001:db8:1:${network}::1` }))
    expect(others).toEqual([60, 60, 60, 0])
    expect(count({ ip: '2001:db8:2:1::1' })).toBe(60)
  })

  test("behavior: an integrator's reads are charged to its key on any address, in proportion to its quota", () => {
    const { count } = create()
    expect(count({ ip: '192.0.2.1', integrator })).toBe(600)
    expect(count({ ip: '192.0.2.2', integrator })).toBe(0)
    expect(count({ ip: '192.0.2.1' })).toBe(60)
    const small = { id: 'cd', limits: { rfqsPerMinute: 1, openRfqs: 1 } }
    expect(count({ ip: '192.0.2.1', integrator: small })).toBe(60)
  })

  test('behavior: memory is bounded, and a client that keeps reading is not forgotten', () => {
    const { budgets, count } = create()
    const client = { ip: '192.0.2.1' }
    expect(count(client)).toBe(60)
    for (let other = 0; other < 20_000; other += 1) {
      budgets.spend(1, { ip: `10.${other >> 16}.${(other >> 8) & 255}.${other & 255}` })
      if (other % 5_000 === 0) expect(budgets.spend(1, client)).toBe(1)
    }
    expect(budgets.spend(1, client)).toBe(1)
    // The first of the others has been forgotten.
    expect(count({ ip: '10.0.0.1' })).toBe(60)
  })
})

describe('readCosts', () => {
  test('behavior: every read has a cost, except those that are free on purpose', () => {
    const reads = Object.values<Endpoint>(endpoints).filter(({ method }) => method !== 'post')
    const free = reads.filter(({ id }) => readCosts[id as keyof typeof endpoints] === undefined)
    expect(free.map(({ id }) => id).sort()).toEqual(['getConfig', 'isAlive', 'isReady'])
    const limited = reads.filter(({ problems }) => problems.includes('RATE_LIMITED'))
    expect(limited.map(({ id }) => id).sort()).toEqual(Object.keys(readCosts).sort())
  })

  test('behavior: the protocol lists the costs', () => {
    const protocol = readFileSync(new URL('../../../../../docs/protocol.md', import.meta.url), 'utf8')
    const [, section = ''] = protocol.split('\n### Reads\n')
    const listed = tableRows(section.split('\n#')[0] ?? '').flatMap(([reads = '', cost = '']) =>
      [...reads.matchAll(/`(\w+) (\S+)`/g)].map(([, method, path]) => [`${method} ${path}`, Number(cost)]),
    )
    const charged = Object.values<Endpoint>(endpoints).flatMap(({ id, method, path }) => {
      const cost = readCosts[id as keyof typeof endpoints]
      return cost === undefined ? [] : [[`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, cost]]
    })
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(charged))
  })
})
