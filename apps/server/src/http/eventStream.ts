import type { RFQStreamEvent } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { Response } from 'express'
import type { OpenAuction } from '../app/service.ts'
import type { DoorLimits } from '../doorLimits.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Streams an auction as server-sent events until it is done or the reader has gone. The auction goes on either way:
 * whoever lost the line gets its result by its id.
 */
export function streamAuction(
  res: Response,
  auction: OpenAuction,
  { clock, limits }: { clock: Clock; limits: Pick<DoorLimits, 'streamPulseMs' | 'unreadBytes'> },
): void {
  // An aborted auction tells a stream by an event; nobody waits for its result here.
  auction.result.catch(() => undefined)
  if (res.closed) return

  let cancelPulse = () => {}
  let stopListening = () => {}
  res.on('close', () => {
    cancelPulse()
    stopListening()
  })
  const write = (frame: string) => {
    if (res.writableEnded || res.destroyed) return
    res.write(frame)
    // Whoever does not read must not fill our memory.
    if (res.writableLength > limits.unreadBytes) res.destroy()
  }
  const pulse = () => {
    write(':\n\n')
    if (!res.destroyed) cancelPulse = clock.after(limits.streamPulseMs, pulse)
  }

  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  })
  res.flushHeaders()
  cancelPulse = clock.after(limits.streamPulseMs, pulse)
  stopListening = auction.listen((event) => {
    write(encodeEvent(event))
    if (event.type === 'done' || event.type === 'error') res.end()
  })
}

function encodeEvent({ type, id, data }: RFQStreamEvent): string {
  return `event: ${type}\nid: ${id}\ndata: ${encodeJson(data)}\n\n`
}
