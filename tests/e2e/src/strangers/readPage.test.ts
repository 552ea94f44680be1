import { describe, expect, test } from '@jest/globals'
import { readPage, shapeOf } from './readPage.ts'

describe('readPage', () => {
  test('default: paragraphs, list items and blocks in order, without front matter and indentation', () => {
    const page =
      '---\ntitle: A\n---\n\n# A\n\nOne\ntwo.\n\n1. Type:\n\n   ```sh\n   ls\n     -l\n   ```\n\n2. Done.\n3. Home.\n'
    expect(readPage(page)).toEqual([
      { kind: 'prose', text: '# A', line: 5 },
      { kind: 'prose', text: 'One two.', line: 7 },
      { kind: 'prose', text: '1. Type:', line: 10 },
      { kind: 'block', language: 'sh', text: 'ls\n  -l', line: 12 },
      { kind: 'prose', text: '2. Done.', line: 17 },
      { kind: 'prose', text: '3. Home.', line: 18 },
    ])
  })
})

describe('shapeOf', () => {
  test('default: other figures, hashes and gaps fit, other words do not', () => {
    const shape = shapeOf('#  APR    MAKER\n1  6.54%  0x3C44…93BC\nready http://localhost:3005')
    expect('# APR MAKER\n1   12.1%   0xabcd…ef01\nready http://localhost:49152').toMatch(shape)
    expect('# APR MAKER\n1   12.1%   0xabcd…ef01\nsteady http://localhost:49152').not.toMatch(shape)
    expect('# APR MAKER\n1   none   0xabcd…ef01\nready http://localhost:49152').not.toMatch(shape)
  })

  test('behavior: dots stand for anything, signs of patterns for themselves', () => {
    expect('fixed (all of it) by nobody at 1.5%').toMatch(shapeOf('fixed (…) by … at 2%'))
    expect('fixed all by nobody at 1.5%').not.toMatch(shapeOf('fixed (…) by … at 2%'))
  })
})
