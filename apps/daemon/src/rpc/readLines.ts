/** What comes over a socket: a line without its newline, or why there are no more. */
export type Line =
  | { kind: 'line'; bytes: Uint8Array }
  /** It got longer than allowed; no line is read after it. */
  | { kind: 'too_long' }
  /** The stream ended within it. */
  | { kind: 'half' }

const newline = 0x0a

/**
 * Cuts a stream into lines of at most `longest` bytes. It holds one unfinished line and one chunk, however they are split
 * or merged on the way, and reads on only when the next line is asked for. What comes after a line that is too long is
 * thrown away, so that whoever is writing gets to read his answer: at most `discard` bytes, then it leaves the stream.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  { longest, discard }: { longest: number; discard: number },
): AsyncGenerator<Line> {
  let left: number | null = null
  let held = Buffer.alloc(0)
  let length = 0
  // One growing buffer: a list of parts would cost a hundred bytes for each byte that came alone.
  const hold = (part: Buffer) => {
    if (length + part.length > held.length) {
      const room = Buffer.allocUnsafe(Math.min(longest, Math.max(2 * held.length, length + part.length)))
      held.copy(room, 0, 0, length)
      held = room
    }
    part.copy(held, length)
    length += part.length
  }
  for await (const chunk of chunks) {
    if (left !== null) {
      left -= chunk.length
      if (left < 0) return
      continue
    }
    let rest = chunk
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const last = rest.subarray(0, end)
      if (length + last.length > longest) break
      if (length > 0) hold(last)
      yield { kind: 'line', bytes: length > 0 ? held.subarray(0, length) : last }
      held = Buffer.alloc(0)
      length = 0
      rest = rest.subarray(end + 1)
    }
    // What is left of the chunk is the beginning of a line, or all of one that is too long.
    const end = rest.indexOf(newline)
    if (length + (end === -1 ? rest.length : end) > longest) {
      left = discard
      held = Buffer.alloc(0)
      length = 0
      yield { kind: 'too_long' }
    } else hold(rest)
  }
  if (held.subarray(0, length).toString('latin1').trim() !== '') yield { kind: 'half' }
}
