import { describe, expect, test } from '@jest/globals'
import { choosePool, chooseSeries } from './choosePool.ts'
import { printable } from './printable.ts'
import { colourStyle } from './style.ts'
import { renderFacts, renderTable } from './table.ts'

describe('renderTable', () => {
  const columns = [{ title: 'NAME' }, { title: 'AMOUNT', right: true }]

  test('default', () => {
    expect(
      renderTable(columns, [
        ['first', '1'],
        ['2', '1,000'],
      ]),
    ).toBe('NAME   AMOUNT\nfirst       1\n2       1,000')
  })

  test('behavior: only titles without rows', () => {
    expect(renderTable(columns, [])).toBe('NAME  AMOUNT')
  })

  test('behavior: colours only on request, and only on the titles', () => {
    expect(renderTable(columns, [['a', '1']])).not.toContain('\u001b')
    expect(renderTable(columns, [['a', '1']], colourStyle)).toBe('\u001b[2mNAME  AMOUNT\u001b[22m\na          1')
  })

  test('behavior: untrusted text neither moves the cursor nor breaks the line', () => {
    const text = renderTable(columns, [['\u001b[2J\u202eevil\r\n', '1']])
    expect(text.split('\n')).toHaveLength(2)
    expect(text).toContain('\ufffd[2J\ufffdevil\ufffd\ufffd')
    expect(renderFacts([['a', '\u001b]0;title\u0007']])).toBe('a  \ufffd]0;title\ufffd')
    expect(printable('Ünïcødé 中 ok')).toBe('Ünïcødé 中 ok')
  })

  test.each([
    ['tags', 0xe0000, 0xe007f],
    ['variation selectors', 0xfe00, 0xfe0f],
    ['more variation selectors', 0xe0100, 0xe01ef],
    ['Hangul fillers', 0x115f, 0x1160],
    ['bidi controls', 0x2066, 0x2069],
    ['another bidi control', 0x061c, 0x061c],
    ['a soft hyphen', 0xad, 0xad],
    ['a grapheme joiner', 0x034f, 0x034f],
    ['a blank Braille pattern', 0x2800, 0x2800],
    ['musical controls', 0x1d173, 0x1d17a],
    ['private use', 0xe000, 0xe000],
    ['half of a character', 0xd800, 0xd800],
  ])('error: %s are shown', (_, from, to) => {
    for (let code = from; code <= to; code += 1) {
      expect(printable(`US${String.fromCodePoint(code)}DC`)).toBe('US\ufffdDC')
    }
  })
})

describe('choosePool', () => {
  const token = (symbol: string) => ({
    address: '0x0000000000000000000000000000000000000001' as const,
    symbol,
    decimals: 6,
  })
  const pool = (start: string, symbol: string) => ({
    poolId: `0x${start.padEnd(64, '0')}` as const,
    loanToken: token(symbol),
  })
  const pools = [pool('aa1', 'tUSD'), pool('aa2', 'tUSD'), pool('b', 'tEUR')]

  test.each([
    ['its id', `0x${'aa1'.padEnd(64, '0')}`, 0],
    ['its id in capitals', `0x${'AA2'.padEnd(64, '0')}`, 1],
    ['a prefix', '0xaa2', 1],
    ['a number', '3', 2],
    ['a symbol', 'teur', 2],
  ])('default: %s', (_what, text, index) => {
    expect(choosePool(pools, text)).toBe(pools[index])
  })

  test.each([
    ['0xaa', 'matches 2 pools'],
    ['tUSD', 'matches 2 pools'],
    ['0xc', 'Pool "0xc" does not exist'],
    ['4', 'Pool "4" does not exist'],
    ['0', 'Pool "0" does not exist'],
    ['0x', 'Pool "0x" does not exist'],
    ['', 'Pool "" does not exist'],
  ])('error: %j', (text, sentence) => {
    expect(() => choosePool(pools, text)).toThrow(sentence)
  })

  test('behavior: a series by its key or a prefix of it', () => {
    const series = [{ seriesKey: '0xab01' }, { seriesKey: '0xab02' }]
    expect(chooseSeries(series, '0xAB02')).toBe(series[1])
    expect(() => chooseSeries(series, '0xab')).toThrow('2 active series of the pool begin with "0xab".')
    expect(() => chooseSeries(series, '0xc')).toThrow('No active series of the pool begins with "0xc".')
  })
})
