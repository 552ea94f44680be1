import { describe, expect, test } from '@jest/globals'
import { screensOf } from './screensOf.ts'

describe('screensOf', () => {
  test('default: lines that are drawn again take the place of what they were', () => {
    const output = [
      { atMs: 0, text: '\u001b[?2026hone\r\ncloses in 2 s\r\n\u001b[?2026l' },
      { atMs: 1_000.4, text: '\u001b[1A\u001b[G\u001b[2K\u001b[Gcloses in 1 s\u001b[K\r\n' },
      { atMs: 2_000, text: '\u001b[1A\u001b[G\u001b[2Kclosed\r\n1 \u001b[1m6.5%\u001b[22m  \r\n' },
    ]
    expect(screensOf(output, 500)).toEqual([
      { atMs: 0, lines: ['one', 'closes in 2 s'] },
      { atMs: 1_000, lines: ['one', 'closes in 1 s'] },
      { atMs: 2_000, lines: ['one', 'closed', '1 6.5%'] },
    ])
  })

  test('behavior: between two screens is some time, and the last one is always there', () => {
    const output = [0, 100, 600, 700].map((atMs) => ({ atMs, text: `${atMs}\r\n` }))
    expect(screensOf(output, 500).map(({ atMs }) => atMs)).toEqual([0, 600, 700])
    expect(screensOf(output, 500).at(-1)?.lines).toEqual(['0', '100', '600', '700'])
  })

  test('behavior: what is written over a line keeps what stands behind it', () => {
    expect(screensOf([{ atMs: 0, text: 'abcdef\rxy' }], 500)).toEqual([{ atMs: 0, lines: ['xycdef'] }])
  })
})
