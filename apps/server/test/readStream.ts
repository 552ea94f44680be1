/** An event of an auction's stream, and when it arrived, in Unix milliseconds. */
export type ReadEvent = { event: string; id?: string; data: Record<string, unknown>; at: number }

/**
 * Reads a stream's events up to the first one that matches, then ends the stream.
 *
 * @throws {TypeError} if the stream ends first.
 */
export async function readStream(
  { body }: Pick<Response, 'body'>,
  isLast: (event: ReadEvent) => boolean,
): Promise<ReadEvent[]> {
  const events: ReadEvent[] = []
  let text = ''
  for await (const chunk of body ?? []) {
    const frames = (text + Buffer.from(chunk)).split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [, event, , id, data] = /^event: (.*)\n(id: (.*)\n)?data: (.*)$/.exec(frame) ?? []
      if (event === undefined || data === undefined) continue
      const read = { event, ...(id !== undefined && { id }), data: JSON.parse(data), at: Date.now() }
      events.push(read)
      if (isLast(read)) return events
    }
  }
  throw new TypeError(`The stream ended after ${JSON.stringify(events)}.`)
}
