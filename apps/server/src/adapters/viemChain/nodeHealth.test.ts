import { beforeEach, describe, expect, test } from '@jest/globals'
import { createNodeHealth, type NodeHealth } from './nodeHealth.ts'

let now = 0
let health: NodeHealth
beforeEach(() => {
  now = 1_000
  health = createNodeHealth({ now: () => now, random: () => 0.5 })
})

const admit = () => health.admit(2_500)

describe('admit', () => {
  test('default: a node that answers is called without a limit on attempts, and one failed call changes nothing', async () => {
    expect(await admit()).toBe(Number.POSITIVE_INFINITY)
    health.ended('limited')
    expect(await admit()).toBe(Number.POSITIVE_INFINITY)
  })

  test('behavior: a failing node is called once per round, with one attempt, and rounds grow to five seconds', async () => {
    health.ended('limited')
    const rounds: number[] = []
    for (let round = 0; round < 7; round += 1) {
      health.ended('limited')
      health.ended('limited')
      const from = now
      for (now = from; ; now += 50) {
        // A wait of up to half a second is made in real time.
        if ((await health.admit(0)) === 1) break
        expect(now - from).toBeLessThan(6_000)
      }
      rounds.push(now - from)
    }
    expect(rounds).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
  })

  test('behavior: an answer ends the back-off', async () => {
    for (let call = 0; call < 9; call += 1) health.ended('silent')
    expect([health.failures(), health.fault(), await health.admit(0)]).toEqual([9, 'silent', 0])
    health.ended(null)
    expect([health.failures(), health.fault(), await admit()]).toEqual([0, null, Number.POSITIVE_INFINITY])
  })

  test('behavior: calls wait for the outcome of the one that tests the node', async () => {
    health.ended('silent')
    health.ended('silent')
    now += 250
    expect(await admit()).toBe(1)
    const [good, other] = [admit(), admit()]
    health.ended(null)
    expect(await Promise.all([good, other])).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
  })

  test('behavior: Retry-After holds back even after a single failure, for at most 30 seconds', async () => {
    health.ended('limited', 60_000)
    now += 29_999
    expect(await health.admit(0)).toBe(0)
    now += 1
    expect(await health.admit(0)).toBe(Number.POSITIVE_INFINITY)
  })
})

test('latencyMs: the median of the latest twenty', () => {
  expect(health.latencyMs()).toBeNull()
  for (const ms of [900, ...Array<number>(20).fill(7)]) health.measured('eth_call', ms)
  expect([health.latencyMs(), health.timeoutMs('eth_call', 2_000)]).toEqual([7, 250])
})
