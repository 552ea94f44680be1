/** A line without its newline, or the reason why no further lines follow. */
export type ReceivedLine =
  /** The bytes remain valid until the next line is requested. */
  | { kind: 'line'; bytes: Uint8Array }
  /** The line exceeded the limit. No further lines are read. */
  | { kind: 'too_long' }
  /** The stream ended in the middle of a line. */
  | { kind: 'half' }

const newline = 0x0a

/**
 * Splits a stream into lines of at most `longest` bytes. Buffers one unfinished line and one chunk, and reads more only
 * when the next line is requested. After an overlong line, discards up to `discard` bytes, so that a sender that is
 * still writing can read its response.
 *
 * Custom code, because split2, byline and readline have no byte limit, treat a truncated last line as complete, and
 * replace invalid UTF-8 (docs/decisions/0012-daemon-socket.md).
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { longest, discard }: { longest: number; discard: number },
): AsyncGenerator<ReceivedLine> {
  // Use a single buffer, because a list of chunks would take about a hundred bytes of memory for each byte that arrives
  // separately.
  let held: Buffer | undefined
  let length = 0
  let discarded: number | null = null
  for await (const chunk of chunks) {
    if (discarded !== null) {
      discarded += chunk.length
      if (discarded > discard) return
      continue
    }
    for (let start = 0; start < chunk.length && discarded === null; ) {
      const end = chunk.indexOf(newline, start)
      const part = chunk.subarray(start, end === -1 ? chunk.length : end)
      start += part.length + 1
      if (length + part.length > longest) {
        discarded = 0
        yield { kind: 'too_long' }
      } else if (end !== -1 && length === 0) yield { kind: 'line', bytes: part }
      else {
        held ??= Buffer.allocUnsafe(longest)
        length += part.copy(held, length)
        if (end === -1) continue
        yield { kind: 'line', bytes: held.subarray(0, length) }
        length = 0
      }
    }
  }
  const isHalf = discarded === null && held?.subarray(0, length).toString('latin1').trim()
  if (isHalf) yield { kind: 'half' }
}
