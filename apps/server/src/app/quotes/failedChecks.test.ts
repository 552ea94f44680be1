import { createFakeClock, type FakeClock } from '@firmquote/testing/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { createFailedChecks, type FailedChecks } from './failedChecks.ts'

let clock: FakeClock
let checks: FailedChecks

beforeEach(() => {
  clock = createFakeClock()
  checks = createFailedChecks(clock)
})

/** Has so many checks of a sender admitted. */
function admit(sender: string, count: number) {
  return Array.from({ length: count }, () => {
    const check = checks.admit(sender)
    if (!check.ok) throw new TypeError(`refused for ${check.retryAfterSeconds} s`)
    return check
  })
}

describe('createFailedChecks', () => {
  test('default: twenty checks of a sender may fail in a minute, and one comes back every three seconds', () => {
    admit('one', 20)
    expect(checks.admit('one')).toEqual({ ok: false, retryAfterSeconds: 3 })
    clock.advance(2_999)
    expect(checks.admit('one')).toEqual({ ok: false, retryAfterSeconds: 1 })
    clock.advance(1)
    admit('one', 1)
    expect(checks.admit('one').ok).toBe(false)
    admit('two', 20)
  })

  test('behavior: a refused check costs nothing', () => {
    admit('one', 20)
    for (let count = 0; count < 100; count += 1) expect(checks.admit('one').ok).toBe(false)
    clock.advance(3_000)
    admit('one', 1)
  })

  test('behavior: what is given back does not count', () => {
    for (let count = 0; count < 100; count += 1) for (const check of admit('one', 1)) check.giveBack()
    admit('one', 20)
    expect(checks.admit('one').ok).toBe(false)
  })

  test('behavior: no more than twenty are under way, whatever comes of them', () => {
    const underWay = admit('one', 20)
    expect(checks.admit('one').ok).toBe(false)
    for (const check of underWay) check.giveBack()
    admit('one', 20)
  })

  test('behavior: nobody saves up more than twenty', () => {
    const early = admit('one', 10)
    clock.advance(3_600_000)
    admit('one', 0)
    for (const check of early) check.giveBack()
    admit('one', 20)
    expect(checks.admit('one').ok).toBe(false)
  })

  test('behavior: ten thousand senders are remembered, and the one that came least lately is forgotten first', () => {
    admit('first', 20)
    admit('second', 20)
    for (let sender = 0; sender < 9_998; sender += 1) checks.admit(`s${sender}`)
    expect(checks.admit('first').ok).toBe(false)
    checks.admit('one more')
    expect(checks.admit('first').ok).toBe(false)
    expect(checks.admit('second').ok).toBe(true)
  })
})
