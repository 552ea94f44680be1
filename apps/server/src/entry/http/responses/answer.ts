import type { OutgoingHttpHeaders } from 'node:http'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { encodeJson } from '@firmquote/core/wire'
import type { RequestHandler, Response } from 'express'
import { ProblemError } from './problem.ts'
import { requestIdOf } from './requestLog.ts'

/** The API is public and uses no cookies, so every page may call it. */
const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Allow, Location',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * The headers of an answer: those of every answer and its own, which win. They go out in one `writeHead`: setting them
 * one by one costs more than all the rest of a small answer.
 */
export function headersOf(res: Response, own: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return { ...commonHeaders, 'X-Request-Id': requestIdOf(res), ...own }
}

/** Answers with a whole body; to HEAD with its headers alone. */
export function answer(res: Response, status: number, own: OutgoingHttpHeaders, body: string | Buffer): void {
  const headers = headersOf(res, own)
  const length = Buffer.byteLength(body)
  headers['Content-Length'] = length
  res.writeHead(status, headers)
  if (length <= pieceBytes || res.req.method === 'HEAD') res.end(body)
  else endInPieces(res, typeof body === 'string' ? Buffer.from(body) : body)
}

/**
 * A connection is known to be read when a write has gone out whole, so a long body goes out in pieces: a client that takes
 * less than one of them in `stalledMs` is cut.
 */
const pieceBytes = 131_072

function endInPieces(res: Response, bytes: Buffer): void {
  let at = 0
  const more = () => {
    while (bytes.length - at > pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes)
      at += pieceBytes
      if (!res.write(piece)) {
        res.once('drain', more)
        return
      }
    }
    res.end(bytes.subarray(at))
  }
  more()
}

/** Answers with a value of the wire. */
export function sendJson(res: Response, status: number, value: unknown, own: OutgoingHttpHeaders = {}): void {
  sendJsonText(res, status, encodeJson(value), own)
}

/** Answers with JSON that is text already; compressed, outside of the event loop, where it is long and the client takes that. */
export function sendJsonText(res: Response, status: number, text: string, own: OutgoingHttpHeaders = {}): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...own }
  if (text.length < compressedFrom) {
    answer(res, status, headers, text)
    return
  }
  const varied = { ...headers, Vary: 'Accept-Encoding' }
  // One at a time: of several, browsers name gzip first, which is larger.
  const accepted = (['br', 'gzip'] as const).find((one) => res.req.acceptsEncodings(one) === one)
  if (accepted === undefined) {
    answer(res, status, varied, text)
    return
  }
  const send = (failure: Error | null, packed: Buffer) => {
    if (res.closed || res.headersSent) return
    if (failure) answer(res, status, varied, text)
    else answer(res, status, { ...varied, 'Content-Encoding': accepted }, packed)
  }
  const bytes = Buffer.from(text)
  if (accepted === 'br') brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, send)
  else gzip(bytes, send)
}

/** What fits one packet gains nothing. In characters. */
const compressedFrom = 1_400

/** The last handler of a route: every other method is refused with the list of those that it has. */
export function allow(methods: string): RequestHandler {
  return (req) => {
    throw new ProblemError({
      code: 'METHOD_NOT_ALLOWED',
      detail: `This endpoint does not take ${req.method}; it takes ${methods}.`,
      headers: { Allow: methods },
    })
  }
}
