import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type ReceivedLine, splitLines } from './splitLines.ts'

async function read(chunks: AsyncIterable<Buffer>, longest: number, discard = 0) {
  const lines: (string | ReceivedLine['kind'])[] = []
  for await (const line of splitLines(chunks, { longest, discard })) {
    lines.push(line.kind === 'line' ? `line ${Buffer.from(line.bytes).toString('latin1')}` : line.kind)
  }
  return lines
}

async function* stream(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

test('default: the same lines, however they are split and merged', async () => {
  const bytes = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\n', ' ') }).map((text) => Buffer.from(text))
  const reached = { lines: 0, too_long: 0, half: 0, whole: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 20 }), async (chunks) => {
      const text = Buffer.concat(chunks).toString()
      const parts = text.split('\n')
      const last = parts.pop() ?? ''
      const expected: string[] = []
      const long = [...parts, last].findIndex((part) => part.length > 3)
      for (const part of long === -1 ? parts : parts.slice(0, long)) expected.push(`line ${part}`)
      if (long !== -1) expected.push('too_long')
      else if (last.trim() !== '') expected.push('half')
      expect(await read(stream(chunks), 3)).toEqual(expected)
      reached.lines += expected.filter((line) => line.startsWith('line ')).length
      reached[long !== -1 ? 'too_long' : last.trim() !== '' ? 'half' : 'whole'] += 1
    }),
    { numRuns: 500 },
  )
  for (const [what, times] of Object.entries(reached)) expect([what, times > 10]).toEqual([what, true])
})

test.each([1, 65_536])(
  'error: a line without an end is read to its limit, then thrown away to the next, in chunks of %d',
  async (size) => {
    const longest = 1024 * 1024
    let given = 0
    async function* endless() {
      for (;;) {
        given += size
        yield Buffer.alloc(size, 'x')
      }
    }
    expect(await read(endless(), longest, 10 * size)).toEqual(['too_long'])
    expect(given).toBe(longest + 12 * size)
  },
)

test('behavior: a line of exactly the limit is a line', async () => {
  expect(await read(stream([Buffer.from('abc'), Buffer.from('\nabc\n')]), 3)).toEqual(['line abc', 'line abc'])
})
