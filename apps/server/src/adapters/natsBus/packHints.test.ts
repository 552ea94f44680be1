import { describe, expect, test } from '@jest/globals'
import { type Hint, packHints, unpackHints } from './packHints.ts'

const hintOf = (payload: string, subject = 'a'): Hint => ({ subject, payload })
const unpacked = (hints: Hint[], maxBytes: number) =>
  packHints(hints, maxBytes).texts.map(({ text }) => unpackHints(text)?.map(({ payload }) => payload))

describe('packHints', () => {
  test('default: one text, in order', () => {
    const hints = [hintOf('{"a":"é\\n"}'), hintOf('2', 'b'), hintOf('')]
    const { texts, tooLong } = packHints(hints, 1_000)
    expect(texts.map(({ count }) => count)).toEqual([3])
    expect(tooLong).toEqual([])
    expect(unpackHints(texts[0]?.text ?? '')).toEqual(hints)
  })

  test('behavior: no messages, no text', () => {
    expect(packHints([], 100)).toEqual({ texts: [], tooLong: [] })
  })

  test('behavior: each text holds as many messages as its limit in bytes allows', () => {
    const hints = [hintOf('1'), hintOf('é'), hintOf('3')]
    const whole = Buffer.byteLength(packHints(hints, 1_000).texts[0]?.text ?? '')
    expect(whole).toBe('["a","1"]'.length * 3 + 1 + 4)
    expect(unpacked(hints, whole)).toEqual([['1', 'é', '3']])
    expect(unpacked(hints, whole - 1)).toEqual([['1', 'é'], ['3']])
    for (let most = 5; most < whole; most += 1)
      for (const { text } of packHints(hints, most).texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most)
  })

  test('behavior: a message that exceeds the limit is left out, and the others are packed', () => {
    const long = hintOf('x'.repeat(100), 'long')
    const alone = Buffer.byteLength(packHints([long], 1_000).texts[0]?.text ?? '')
    expect(packHints([long], alone).tooLong).toEqual([])
    const { texts, tooLong } = packHints([hintOf('1'), long, hintOf('2')], alone - 1)
    expect(tooLong).toEqual(['long'])
    expect(texts.flatMap(({ text }) => unpackHints(text) ?? []).map(({ payload }) => payload)).toEqual(['1', '2'])
  })
})

describe('unpackHints', () => {
  test.each(['', 'no', 'null', '{}', '[1]', '[[]]', '[["a"]]', '[["a",1]]', '[[1,"a"]]', '[["a","1"],null]'])(
    'error: %s is not a packed text',
    (text) => {
      expect(unpackHints(text)).toBeNull()
    },
  )

  test('behavior: additional elements from a later version are ignored', () => {
    expect(unpackHints('[["a","1","more"]]')).toEqual([{ subject: 'a', payload: '1' }])
  })
})
