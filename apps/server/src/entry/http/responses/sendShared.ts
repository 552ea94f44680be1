import type { OutgoingHttpHeaders } from 'node:http'
import type { Request, Response } from 'express'
import { answer, headersOf } from './answer.ts'
import type { SharedBody } from './sharedBody.ts'

/** Sends a shared body in the best encoding that the client accepts, or 304 if the client has it. */
export function sendShared(
  req: Request,
  res: Response,
  body: SharedBody,
  own: OutgoingHttpHeaders,
  status: 200 | 404 = 200,
): void {
  const { contentType, encodings } = body
  const encoding = (['br', 'gzip'] as const).find((one) => encodings[one] && req.acceptsEncodings(one) === one)
  const { bytes, tag } = encodings[encoding ?? 'identity'] ?? encodings.identity
  const headers = { ...own, ETag: tag, ...(encodings.br && { Vary: 'Accept-Encoding' }) }
  if (status === 200 && isKnown(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headersOf(res, headers)).end()
    return
  }
  answer(
    res,
    status,
    { ...headers, 'Content-Type': contentType, ...(encoding && { 'Content-Encoding': encoding }) },
    bytes,
  )
}

/** Whether `If-None-Match` contains the tag, strong or weak, or `*`. */
function isKnown(tags: string | undefined, tag: string): boolean {
  if (tags === undefined) return false
  return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
}
