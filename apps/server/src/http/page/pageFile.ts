import { extname } from 'node:path'
import type { NextFunction, Request, Response } from 'express'
import { headersOf } from '../answers/answer.ts'
import { pageHeaders } from './pageHeaders.ts'
import type { PageFile, PageFolder } from './webPage.ts'

const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** The file of this name, if it is one for browsers: licences and notices lie beside them. */
export function findPageFile({ files }: PageFolder, name: string): PageFile | undefined {
  return extname(name) in contentTypes ? files.get(name) : undefined
}

/** Answers with a file of a page, in the smallest encoding that the client accepts; with 304 where it has the file. */
export function sendPageFile(
  { req, res, next }: { req: Request; res: Response; next: NextFunction },
  { root, name, file, cacheControl }: { root: string; name: string; file: PageFile; cacheControl: string },
): void {
  const encoding = file.packed ? (['br', 'gzip'] as const).find((one) => req.acceptsEncodings(one) === one) : undefined
  const headers = headersOf(res, {
    ...pageHeaders,
    'Content-Type': contentTypes[extname(name)],
    'Cache-Control': cacheControl,
    ETag: file.tag,
    ...(file.packed && { Vary: 'Accept-Encoding' }),
    ...(encoding && { 'Content-Encoding': encoding }),
  })
  const options = { root, headers, cacheControl: false, lastModified: false, acceptRanges: false }
  res.sendFile(name + suffixes[encoding ?? 'identity'], options, (error) => {
    if (!error || res.headersSent) return
    for (const header of res.getHeaderNames()) res.removeHeader(header)
    next(error)
  })
}
