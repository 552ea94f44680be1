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

const part = fc.constantFrom(
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
  ...['data: 3\r', '\n\r', '\ndata: 4\r'],
)
/** Pieces of a stream, cut in lines and in line ends. */
const stream = fc
  .array(fc.array(part, { maxLength: 4, size: 'max' }), { maxLength: 30, size: 'max' })
  .map((pieces) => pieces.map((parts) => parts.join('')))

test('default: random streams in random pieces give the same events as eventsource-parser', () => {
  const seed = drawSeed()
  const reached = { events: 0, withId: 0, withName: 0, ofSeveralLines: 0, cutLineEnds: 0, cutLines: 0 }
  fc.assert(
    fc.property(stream, (pieces) => {
      const events = pieces.flatMap(createEventParser())
      expect(events).toEqual(expected(pieces))
      reached.events += events.length
      reached.withId += events.filter(({ id }) => id !== '').length
      reached.withName += events.filter(({ event }) => event !== '').length
      reached.ofSeveralLines += events.filter(({ data }) => data.includes('\n')).length
      reached.cutLineEnds += pieces.filter((piece, n) => piece.endsWith('\r') && pieces[n + 1]?.startsWith('\n')).length
      reached.cutLines += pieces.filter((piece) => !/[\r\n]/.test(piece)).length
    }),
    { seed, numRuns: 3_000 },
  )
  for (const [what, times] of Object.entries(reached)) expect({ [what]: times > 100 }).toEqual({ [what]: true })
})

test('behavior: a long line in many pieces is read once', () => {
  const parse = createEventParser()
  const pieces = 1_000_000
  for (let index = 0; index < pieces; index++) parse('data: x'[index % 7] ?? '')
  expect(parse('\n\n')).toHaveLength(1)
})
