import type { OutgoingHttpHeaders } from 'node:http'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { encodeJson } from '@firmquote/core/utils'
import type { RequestHandler, Response } from 'express'
import { ProblemError } from './problem.ts'
import { requestIdOf } from './requestLog.ts'

/** The API is public and uses no cookies, so any site may call it. */
const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Allow, Location',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Merges the common headers with a response's own headers, which take precedence. One `writeHead` call writes all
 * headers, because setting them individually costs more than the rest of a small response.
 */
export function headersOf(res: Response, own: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return { ...commonHeaders, 'X-Request-Id': requestIdOf(res), ...own }
}

/** Sends a response with its body, or only the headers for HEAD. */
export function answer(res: Response, status: number, own: OutgoingHttpHeaders, body: string | Buffer): void {
  const headers = headersOf(res, own)
  const length = Buffer.byteLength(body)
  headers['Content-Length'] = length
  res.writeHead(status, headers)
  if (length <= pieceBytes || res.req.method === 'HEAD') res.end(body)
  else endInPieces(res, typeof body === 'string' ? Buffer.from(body) : body)
}

/**
 * Bytes per write. The server detects that a client is reading only when it accepts a whole write, so long bodies are
 * split: a client that accepts less than one piece in `stalledMs` is disconnected.
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

/** Sends a value as JSON. */
export function sendJson(res: Response, status: number, value: unknown, own: OutgoingHttpHeaders = {}): void {
  sendJsonText(res, status, encodeJson(value), own)
}

/** Sends JSON text. Long texts are compressed off the event loop if the client accepts compression. */
export function sendJsonText(res: Response, status: number, text: string, own: OutgoingHttpHeaders = {}): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...own }
  if (text.length < compressedFrom) {
    answer(res, status, headers, text)
    return
  }
  const varied = { ...headers, Vary: 'Accept-Encoding' }
  // Checks encodings in the server's order of preference, because browsers list gzip first, although it compresses
  // less.
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

/** Minimum length of compressed texts, in characters. Shorter texts fit into one packet. */
const compressedFrom = 1_400

/** Rejects all other methods and lists the allowed ones. Must be a route's last handler. */
export function allow(methods: string): RequestHandler {
  return (req) => {
    throw new ProblemError({
      code: 'METHOD_NOT_ALLOWED',
      detail: `This endpoint does not support ${req.method}; it supports ${methods}.`,
      headers: { Allow: methods },
    })
  }
}
