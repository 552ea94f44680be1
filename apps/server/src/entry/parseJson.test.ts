import { describe, expect, test } from '@jest/globals'
import { parseJson } from './parseJson.ts'

describe('parseJson', () => {
  test.each([
    '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
    '[]',
    'null',
    '"a:"',
    '":"',
    '{ "a" \n:\t"b" ,"b" : "a" }',
    '{"a":"\\"","b":":\\\\","c":"\\":\\""}',
    '{"a\\":":1,"a\\\\":2}',
    '{"__proto__":1,"constructor":2}',
    '{"":{"":""}}',
  ])('default: %s is parsed as by JSON.parse', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"\\u0061":3}',
    '[{"b":{"c":1,"d":2,"c":3}}]',
    '{"__proto__":1,"__proto__":2}',
    '{"a\\"":1,"a\\"" :2}',
    '{"a":{"x":1,"y":2},"a":3}',
  ])('error: %s repeats a key', (text) => {
    expect(() => parseJson(text)).toThrow('an object repeats a key')
  })

  test.each(['', '{', '{"a":}', '{a:1}'])('error: %j is not JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  test('behavior: values nested as deeply as a body allows', () => {
    let depth = 0
    for (let value = parseJson('['.repeat(8_192) + ']'.repeat(8_192)); Array.isArray(value); value = value[0])
      depth += 1
    expect(depth).toBe(8_192)
  })
})
