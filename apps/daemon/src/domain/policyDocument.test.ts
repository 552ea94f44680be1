import { describe, expect, test } from '@jest/globals'
import { examplePolicy } from '../../test/examplePolicy.ts'
import { decodePolicy, encodePolicy } from './policyDocument.ts'

const document = encodePolicy(examplePolicy)

describe('decodePolicy', () => {
  test('default: decodes what it encoded', () => {
    expect(document).toMatchObject({ minNotional: '100', tickBps: '5', sizeSpread: [{ from: '100000', bps: '10' }] })
    expect(decodePolicy(JSON.parse(JSON.stringify(document)))).toEqual({ ok: true, value: examplePolicy })
    const some = { ...examplePolicy, pools: [{ poolId: `0x${'ab'.repeat(32)}`, series: null }] as const }
    expect(decodePolicy(encodePolicy(some))).toEqual({ ok: true, value: some })
  })

  test('behavior: a policy without shares, of an earlier version, has a fifth and a quarter', () => {
    const { unverifiedPercent, takerPercent, ...earlier } = document
    expect([unverifiedPercent, takerPercent]).toEqual([100, 100])
    expect(decodePolicy(earlier)).toMatchObject({ ok: true, value: { shares: { unverified: 20, taker: 25 } } })
    const some = { ...document, unverifiedPercent: 0, takerPercent: 7 }
    expect(decodePolicy(some)).toMatchObject({ ok: true, value: { shares: { unverified: 0, taker: 7 } } })
    for (const wrong of [-1, 101, 1.5, '20']) {
      expect(decodePolicy({ ...document, unverifiedPercent: wrong })).toMatchObject({ ok: false })
      expect(decodePolicy({ ...document, takerPercent: wrong })).toMatchObject({ ok: false })
    }
  })

  test('behavior: numbers and texts are read exactly', () => {
    const decoded = decodePolicy({
      ...document,
      tickBps: 0.1,
      maxNotional: '2,500,000.25',
      termSpread: [{ days: 0, bps: -2.5 }],
    })
    if (!decoded.ok) throw new TypeError(JSON.stringify(decoded.issues))
    expect(decoded.value.tick).toBe(10n ** 13n)
    expect(decoded.value.notional.max).toBe(2_500_000_25n * 10n ** 16n)
    expect(decoded.value.termSpread).toEqual([{ days: 0, apr: -25n * 10n ** 13n }])
  })

  test.each<[string, string, Record<string, unknown>]>([
    ['pools', 'pools', { pools: 'some' }],
    ['a pool id', 'pools.0.poolId', { pools: [{ poolId: '0x12' }] }],
    ['a size', 'minNotional', { minNotional: '1e3' }],
    ['a size that is a list', 'minNotional', { minNotional: [1] }],
    ['sizes the wrong way round', 'maxNotional', { maxNotional: 1 }],
    ['too many digits', 'tickBps', { tickBps: '0.00001' }],
    ['no tick', 'tickBps', { tickBps: 0 }],
    ['a negative floor', 'floorBps', { floorBps: -1 }],
    ['bounds the wrong way round', 'maxBps', { minBps: 10, maxBps: 9, floorBps: 0 }],
    ['a floor above the bounds', 'maxBps', { floorBps: 6_000 }],
    [
      'days that fall',
      'termSpread',
      {
        termSpread: [
          { days: 2, bps: 1 },
          { days: 1, bps: 1 },
        ],
      },
    ],
    [
      'sizes that stand still',
      'sizeSpread',
      {
        sizeSpread: [
          { from: 1, bps: 1 },
          { from: '1.0', bps: 1 },
        ],
      },
    ],
    ['half a day', 'termSpread.0.days', { termSpread: [{ days: 0.5, bps: 1 }] }],
    ['a lifetime too short', 'lifetimeSeconds', { lifetimeSeconds: 19 }],
    ['a key that is not known', 'spread', { spread: 1 }],
  ])('error: %s', (_what, path, changes) => {
    expect(decodePolicy({ ...document, ...changes })).toMatchObject({ ok: false, issues: [{ path }] })
  })

  test('error: every mistake at once', () => {
    const decoded = decodePolicy({ ...document, tickBps: 'x', maxNotional: 1, lifetimeSeconds: 1 })
    expect(decoded.ok ? [] : decoded.issues.map(({ path }) => path).sort()).toEqual([
      'lifetimeSeconds',
      'maxNotional',
      'tickBps',
    ])
  })
})
