import { describe, expect, test } from '@jest/globals'
import { type Address, getAddress } from 'viem'
import { type Allowance, type Ban, type Control, encodeControl, indexControls, keyOf } from './controls.ts'

const makers = [1, 2, 3].map((n) => getAddress(`0xab${String(n).padStart(38, '0')}`)) as [Address, Address, Address]
const [one, two, three] = makers
const ban = (maker: Address, since: number, until: number | null): Ban => ({
  ...{ kind: 'ban', maker, since, until },
  why: 'quotes that never fill',
})
const allow = (maker: Address, since: number): Allowance => ({ kind: 'allow', maker, since })
const indexed = (...controls: Control[]) => indexControls({ version: 7, controls: controls.map(encodeControl) })

describe('indexControls', () => {
  test('default: what was encoded, in any letter case, oldest first', () => {
    const controls = indexed(ban(one, 20, null), ban(two, 10, 90), allow(three, 2), allow(one, 1))
    expect(controls.version).toBe(7)
    expect(controls.bans(50)).toEqual([ban(two, 10, 90), ban(one, 20, null)])
    expect(controls.banOf(one.toLowerCase() as Address, 50)).toEqual(ban(one, 20, null))
    expect(controls.allowances).toEqual([allow(one, 1), allow(three, 2)])
    expect([one, two, three.toLowerCase() as Address].map(controls.allows)).toEqual([true, false, true])
  })

  test('behavior: a ban ends at its time by itself, and one without an end does not', () => {
    const controls = indexed(ban(one, 0, 100), ban(two, 0, null))
    const seen = (now: number) => [
      ...[controls.banOf(one, now), controls.banOf(two, now), controls.banOf(three, now)].map((found) => !!found),
      controls.bans(now).length,
      controls.bannedMakers(now).length,
    ]
    expect(seen(99)).toEqual([true, true, false, 2, 2])
    expect(seen(100)).toEqual([false, true, false, 1, 1])
  })

  test('behavior: the list of banned makers is the same array until a ban ends', () => {
    const controls = indexed(ban(one, 0, 100), ban(two, 0, null))
    const before = controls.bannedMakers(1)
    expect(before).toEqual([one, two])
    expect(controls.bannedMakers(99)).toBe(before)
    const after = controls.bannedMakers(100)
    expect(after).toEqual([two])
    expect(controls.bannedMakers(101)).toBe(after)
    expect(controls.bannedMakers(99)).toEqual([one, two])
  })

  test('behavior: kinds of a later version are skipped', () => {
    const row = { kind: 'weather', subject: 'x', body: 'not JSON' }
    expect(indexControls({ version: 1, controls: [row, encodeControl(ban(one, 0, null))] }).bans(0)).toHaveLength(1)
  })

  test.each([
    ['an unknown key', { since: 1, until: null, why: '', more: 1 }],
    ['no end', { since: 1, why: '' }],
    ['a fraction', { since: 1.5, until: null, why: '' }],
    ['a negative time', { since: 1, until: -1, why: '' }],
  ])('error: a ban with %s', (_, body) => {
    const row = { ...keyOf('ban', one), body: JSON.stringify(body) }
    expect(() => indexControls({ version: 1, controls: [row] })).toThrow(/^The control ban 0xab0+1 has an unexpected/)
  })

  test('error: a subject that is no address', () => {
    const row = { ...encodeControl(allow(one, 1)), subject: '0x12' }
    expect(() => indexControls({ version: 1, controls: [row] })).toThrow(/0x12/)
  })
})
