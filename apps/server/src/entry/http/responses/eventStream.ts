import type { RFQStreamEvent } from '@firmquote/core'
import { type Clock, encodeJson } from '@firmquote/core/utils'
import type { Response } from 'express'
import type { AuctionListener, FollowedAuction, Receipts } from '../../../app/service.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { EntryLimits } from '../../entryLimits.ts'
import { watchReader } from '../../slowReader.ts'
import type { HttpContext } from '../httpContext.ts'
import { headersOf } from './answer.ts'

/**
 * Streams an auction as server-sent events until it is done or the connection closes. The auction continues after the
 * stream ends. The client can resume the stream, or read the result using the auction's ID.
 *
 * @param options.after sequence number of the client's last event. By default, the stream starts with the first event.
 * @param options.receipts adds receipts to events, if the client requested them.
 */
export function streamAuction(
  res: Response,
  auction: FollowedAuction,
  {
    clock,
    limits,
    metrics,
    protectConnection,
  }: {
    clock: Clock
    limits: Pick<EntryLimits, 'streamPulseMs' | 'unreadBytes' | 'stalledMs'>
    metrics: Pick<Metrics, 'streamOpened' | 'streamEnded'>
    protectConnection: HttpContext['protectConnection']
  },
  { after, receipts }: { after?: number | undefined; receipts?: Pick<Receipts, 'withReceipt'> | null } = {},
): void {
  if (res.closed) return

  let cancelPulse = () => {}
  let stopListening = () => {}
  // Limits the memory used by unread data.
  const reader = watchReader(
    { waiting: () => res.writableLength, connection: res.req.socket, cut: () => res.destroy() },
    { clock, limits },
  )
  const unprotect = protectConnection(res.req.socket)
  metrics.streamOpened()
  res.on('close', () => {
    metrics.streamEnded()
    unprotect()
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
  const listener: AuctionListener = {
    event: (event) => write(frameOf(event)),
    progress: (progress) => write(`event: progress\ndata: ${encodeJson(progress)}\n\n`),
    end: () => res.end(),
  }
  stopListening = auction.listen(receipts ? addReceipts(listener, receipts) : listener, after)
}

/** Adds receipts to a listener's events. While one is being signed, later events wait, so that their order is kept. */
function addReceipts(listener: AuctionListener, { withReceipt }: Pick<Receipts, 'withReceipt'>): AuctionListener {
  let last = Promise.resolve()
  const next = (task: () => void | Promise<void>) => {
    last = last.then(task)
  }
  return {
    event: (event) => next(async () => listener.event(await withReceipt(event))),
    progress: (progress) => next(() => listener.progress?.(progress)),
    end: () => next(listener.end),
  }
}

const frames = new WeakMap<RFQStreamEvent, string>()

/** An event's encoding, shared by all of the auction's streams. */
function frameOf(event: RFQStreamEvent): string {
  const known = frames.get(event)
  if (known !== undefined) return known
  const frame = `event: ${event.type}\nid: ${event.id}\ndata: ${encodeJson(event.data)}\n\n`
  frames.set(event, frame)
  return frame
}
