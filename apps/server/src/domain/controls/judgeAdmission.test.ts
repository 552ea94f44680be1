import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { type Control, encodeControl, indexControls } from './controls.ts'
import { banCloseReason, banRejection, describeBan, judgeAdmission } from './judgeAdmission.ts'
import { parseDuration } from './parseDuration.ts'

const maker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const until = Date.UTC(2026, 10, 29, 12)
const ban = { kind: 'ban', maker, since: 1, until, why: 'test' } as const
const allow = { kind: 'allow', maker, since: 1 } as const
const verdictOn = (controls: Control[], allowList?: ReadonlySet<string>, now = until - 1) =>
  judgeAdmission(maker, {
    controls: indexControls({ version: 1, controls: controls.map(encodeControl) }),
    ...{ now, allowList },
  })?.code ?? null

describe('judgeAdmission', () => {
  const [listed, others] = [new Set([maker.toLowerCase()]), new Set<string>()]
  test.each([
    ['nobody decided anything', [], undefined, null],
    ['the allow list has the maker', [], listed, null],
    ['the allow list has others', [], others, 'not_allowed'],
    ['the operator allowed the maker', [allow], others, null],
    ['a ban precedes the allow list', [ban], listed, 'banned'],
    ['a ban precedes what the operator allowed', [allow, ban], others, 'banned'],
    ['a ban of a maker that no list has', [ban], others, 'banned'],
  ] as const)('default: %s', (_, controls, allowList, expected) => {
    expect(verdictOn([...controls], allowList)).toBe(expected)
  })

  test('behavior: after the ban, the allow list decides', () => {
    expect([verdictOn([ban], undefined, until), verdictOn([ban], others, until)]).toEqual([null, 'not_allowed'])
  })
})

test('default: what a banned maker is told', () => {
  expect([banCloseReason(ban), banCloseReason({ ...ban, until: null })]).toEqual([
    'banned until 2026-11-29T12:00:00.000Z',
    'banned',
  ])
  expect(describeBan(ban)).toBe(
    'The operator of this server has banned this maker until 2026-11-29T12:00:00.000Z. Contact the operator.',
  )
  // Rounded up, so that a maker that returns at that second is admitted.
  expect(banRejection({ ...ban, until: until + 1 })).toEqual({ code: 'MAKER_BANNED', maker, until: until / 1_000 + 1 })
  expect(banRejection({ ...ban, until: null })).toEqual({ code: 'MAKER_BANNED', maker, until: null })
})

test.each([
  ['1m', 60_000],
  ['24h', 86_400_000],
  ['3650d', 3_650 * 86_400_000],
  ['3651d', null],
  ['0h', null],
  ['-1h', null],
  ['1.5h', null],
  ['24', null],
  ['24 h', null],
  ['24hours', null],
])('default: the duration %s', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})
