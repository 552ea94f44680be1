/** What comes over a socket: a line without its newline, or why there are no more. */
export type ReceivedLine =
  /** Its bytes are valid until the next one is asked for. */
  | { kind: 'line'; bytes: Uint8Array }
  /** It got longer than allowed; no line is read after it. */
  | { kind: 'too_long' }
  /** The stream ended within it. */
  | { kind: 'half' }

const newline = 0x0a

/**
 * Splits a stream into lines of at most `longest` bytes. It holds one unfinished line and one chunk, and reads on only when
 * the next line is asked for. What comes after a line that is too long is thrown away, so that the other side, still
 * writing, gets to read its answer: at most `discard` bytes, then the stream is left.
 *
 * Own code, because split2, byline and readline have no bound in bytes, take a cut last line for a whole one, and replace
 * what is not UTF-8 (docs/decisions/0012-daemon-socket.md).
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { longest, discard }: { longest: number; discard: number },
): AsyncGenerator<ReceivedLine> {
  // One buffer, made once: a list of parts would cost a hundred bytes for each byte that came alone.
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
