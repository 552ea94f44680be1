import type { OutgoingHttpHeaders } from 'node:http'
import { extname } from 'node:path'
import type { Request, Response } from 'express'
import { sendShared } from '../responses/sendShared.ts'
import type { SharedBody } from '../responses/sharedBody.ts'
import { webAppHeaders } from './webAppHeaders.ts'

/** Licences of bundled third-party code, written by the build. */
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

/** Returns a file's content type by its path in the web app, or undefined if browsers may not request it. */
export function webAppContentType(path: string): string | undefined {
  return path === licences ? 'text/plain; charset=utf-8' : contentTypes.get(extname(path))
}

/** Sends a web app file with a `Cache-Control` header. */
export function sendWebAppFile(
  req: Request,
  res: Response,
  body: SharedBody,
  cacheControl: string,
  headers: OutgoingHttpHeaders = webAppHeaders,
): void {
  sendShared(req, res, body, { ...headers, 'Cache-Control': cacheControl })
}
