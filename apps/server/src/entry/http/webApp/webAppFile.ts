import type { OutgoingHttpHeaders } from 'node:http'
import { extname } from 'node:path'
import type { Request, Response } from 'express'
import { sendShared } from '../responses/sendShared.ts'
import type { SharedBody } from '../responses/sharedBody.ts'
import { webAppHeaders } from './webAppHeaders.ts'

/** Whose work the page holds beside ours, and under which licences: its build writes this. */
const licences = 'THIRD_PARTY_LICENSES.txt'

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.webmanifest', 'application/manifest+json'],
])

/** The type of a file for browsers, by its path below the page's folder; undefined for any other file. */
export function webAppContentType(path: string): string | undefined {
  return path === licences ? 'text/plain; charset=utf-8' : contentTypes.get(extname(path))
}

/** Answers with a part of a page, which browsers may keep as `cacheControl` says. */
export function sendWebAppFile(
  req: Request,
  res: Response,
  body: SharedBody,
  cacheControl: string,
  headers: OutgoingHttpHeaders = webAppHeaders,
): void {
  sendShared(req, res, body, { ...headers, 'Cache-Control': cacheControl })
}
