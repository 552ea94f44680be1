// Why: docs/decisions/0005-custom-body-reader.md
import type { Request, RequestHandler } from 'express'
import { ProblemError } from './responses/problem.ts'

/**
 * Reads a JSON body of at most `limit` bytes into `req.body`, for `decodeBody`. An unacceptable body is rejected
 * immediately, and Node.js discards the rest.
 */
export function jsonBody(limit: number): RequestHandler {
  return (req, _res, next) => {
    requireJson(req)
    // A chunked body has no `Content-Length`.
    if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge()
    const chunks: Buffer[] = []
    let length = 0
    let done = false
    const finish = (error?: ProblemError) => {
      done = true
      next(error)
    }
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (done) return
      if (length > limit) return finish(tooLarge())
      chunks.push(chunk)
    })
    req.on('end', () => {
      if (done) return
      req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
      finish()
    })
    req.on('close', () => {
      if (!done) finish(cutShort())
    })
  }
}

function requireJson({ headers }: Request): void {
  const type = headers['content-type'] ?? ''
  if (type !== 'application/json') {
    const [mediaType = '', ...parameters] = type.toLowerCase().split(';')
    if (mediaType.trim() !== 'application/json') throw unsupported('The body must be application/json.')
    const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='))
    if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('The body must be UTF-8.')
  }
  const encoding = headers['content-encoding'] || 'identity'
  if (encoding.toLowerCase() !== 'identity') throw unsupported('The body must not be compressed.')
}

function unsupported(detail: string): ProblemError {
  return new ProblemError({ code: 'UNSUPPORTED_MEDIA_TYPE', detail, headers: { 'Accept-Post': 'application/json' } })
}

function tooLarge(): ProblemError {
  return new ProblemError({ code: 'PAYLOAD_TOO_LARGE', detail: 'The body is too large.' })
}

function cutShort(): ProblemError {
  return new ProblemError({ code: 'INVALID_REQUEST', detail: 'The body is shorter than its Content-Length.' })
}
