import type { OutgoingHttpHeaders } from 'node:http'
import type { Response } from 'express'
import { requestIdOf } from './requestId.ts'

/** The API is public and knows no cookies, so every page may call it. */
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
export function answer(res: Response, status: number, own: OutgoingHttpHeaders, body: string | Uint8Array): void {
  const headers = headersOf(res, own)
  headers['Content-Length'] = Buffer.byteLength(body)
  res.writeHead(status, headers).end(body)
}
