import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { answer, headersOf } from './answer.ts'

/** A body that is the same for everyone: made once, in every encoding that it has, each with a strong ETag of its own. */
export type SharedBody = {
  contentType: string
  encodings: { readonly identity: Encoded; readonly br?: Encoded; readonly gzip?: Encoded }
}

type Encoded = { bytes: Buffer; tag: string }

/** Makes a shared body of bytes, and of their compressed copies where there are any. */
export function createSharedBody(
  contentType: string,
  { identity, br, gzip }: { identity: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined },
): SharedBody {
  return {
    contentType,
    encodings: { identity: encoded(identity), ...(br && gzip && { br: encoded(br), gzip: encoded(gzip) }) },
  }
}

function encoded(bytes: Buffer): Encoded {
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Makes a shared body of text, and compresses it outside of the event loop. */
export async function packSharedBody(contentType: string, text: string): Promise<SharedBody> {
  const identity = Buffer.from(text)
  // The level that pages are usually compressed with while they are sent: the highest takes a hundred times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([packWithBrotli(identity, { params }), pack(identity)])
  return createSharedBody(contentType, { identity, br, gzip: gzipped })
}

const [pack, packWithBrotli] = [promisify(gzip), promisify(brotliCompress)]

/** Answers with a shared body in the smallest encoding that the client accepts; with 304 where the client has it. */
export function sendShared(req: Request, res: Response, body: SharedBody, own: OutgoingHttpHeaders): void {
  const { contentType, encodings } = body
  const encoding = (['br', 'gzip'] as const).find((one) => encodings[one] && req.acceptsEncodings(one) === one)
  const { bytes, tag } = encodings[encoding ?? 'identity'] ?? encodings.identity
  const headers = { ...own, ETag: tag, ...(encodings.br && { Vary: 'Accept-Encoding' }) }
  if (isKnown(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headersOf(res, headers)).end()
    return
  }
  answer(
    res,
    200,
    { ...headers, 'Content-Type': contentType, ...(encoding && { 'Content-Encoding': encoding }) },
    bytes,
  )
}

/** Whether an `If-None-Match` names this tag, in its strong or its weak form, or every tag. */
function isKnown(tags: string | undefined, tag: string): boolean {
  if (tags === undefined) return false
  return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
}
