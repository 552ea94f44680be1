import type { RFQStreamEvent } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { Response } from 'express'
import type { OpenAuction } from '../../app/service.ts'
import type { DoorLimits } from '../../doors/doorLimits.ts'
import { watchReader } from '../../doors/slowReader.ts'
import type { Clock } from '../../ports/clock.ts'
import { headersOf } from './answer.ts'

/**
 * Streams an auction as server-sent events until it is done or the connection closes. The auction continues either way;
 * its result can be read by its id.
 */
export function streamAuction(
  res: Response,
  auction: OpenAuction,
  { clock, limits }: { clock: Clock; limits: Pick<DoorLimits, 'streamPulseMs' | 'unreadBytes' | 'stalledMs'> },
): void {
  // An aborted auction ends a stream by an event; its result is not used here.
  auction.result.catch(() => undefined)
  if (res.closed) return

  let cancelPulse = () => {}
  let stopListening = () => {}
  // What a client does not read must not fill the memory.
  const reader = watchReader(
    { waiting: () => res.writableLength, connection: res.req.socket, cut: () => res.destroy() },
    { clock, limits },
  )
  res.on('close', () => {
    cancelPulse()
    stopListening()
    reader.stop()
  })
  const write = (frame: string) => {
    if (res.writableEnded || res.destroyed) return
    res.write(frame)
    reader.wrote()
  }
  const pulse = () => {
    write(':\n\n')
    if (!res.destroyed) cancelPulse = clock.after(limits.streamPulseMs, pulse)
  }

  const headers = headersOf(res, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  })
  res.writeHead(200, headers)
  res.flushHeaders()
  cancelPulse = clock.after(limits.streamPulseMs, pulse)
  stopListening = auction.listen((event) => {
    write(frameOf(event))
    if (event.type === 'done' || event.type === 'error') res.end()
  })
}

const frames = new WeakMap<RFQStreamEvent, string>()

/** An event's frame, built once for all streams of the auction. */
function frameOf(event: RFQStreamEvent): string {
  const known = frames.get(event)
  if (known !== undefined) return known
  const frame = `event: ${event.type}\nid: ${event.id}\ndata: ${encodeJson(event.data)}\n\n`
  frames.set(event, frame)
  return frame
}
