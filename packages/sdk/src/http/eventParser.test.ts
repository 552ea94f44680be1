import { drawSeed } from '@firmquote/test-support/coverage'
import { expect, test } from '@jest/globals'
import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { createEventParser, type ServerSentEvent } from './eventParser.ts'

/** What eventsource-parser returns for the same pieces. */
function expected(pieces: readonly string[]): ServerSentEvent[] {
  const events: ServerSentEvent[] = []
  const parser = createParser({ onEvent: ({ event = '', id = '', data }) => events.push({ event, id, data }) })
  for (const piece of pieces) parser.feed(piece)
  return events
}

const text = fc.array(
  fc.constantFrom(
    ...[
      'data',
      'event',
      'id',
      'retry',
      'other',
      ':',
      ': ',
      ' ',
      '\n',
      '\n\n',
      '\r\n',
      '\r\n\r\n',
      '\r',
      '\0',
      '{"a":1}',
      'é',
    ],
    ...['data: 1\n\n', 'event: quote\nid: 7\ndata: 1\ndata: 2\r\n\r\n', ': comment\n', 'data\n\n', 'event: x\n\n'],
  ),
  { maxLength: 30 },
)

test('default: random streams in random pieces give the same events as eventsource-parser', () => {
  const seed = drawSeed()
  let compared = 0
  fc.assert(
    fc.property(text, fc.array(fc.nat(40)), (parts, cuts) => {
      const whole = parts.join('')
      const ends = [...new Set([...cuts.filter((cut) => cut < whole.length), whole.length])].sort((a, b) => a - b)
      const pieces = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end))
      const parse = createEventParser()
      const events = pieces.flatMap(parse)
      compared += events.length
      expect(events).toEqual(expected(pieces))
    }),
    { seed, numRuns: 3_000 },
  )
  expect(compared).toBeGreaterThan(1_000)
})

test('behavior: a long line in many pieces is read once', () => {
  const parse = createEventParser()
  const pieces = 1_000_000
  for (let index = 0; index < pieces; index++) parse('data: x'[index % 7] ?? '')
  expect(parse('\n\n')).toHaveLength(1)
})
