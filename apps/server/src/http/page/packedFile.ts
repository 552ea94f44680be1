import { extname } from 'node:path'
import type { Request, Response } from 'express'
import { answer } from '../answers/answer.ts'
import { pageHeaders } from './pageHeaders.ts'

/** How a file may be compressed, what is smallest first. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** A file of a page. */
export type PackedFile = {
  /** Whether it is kept compressed, in every one of the encodings. */
  packed: boolean
  /** Its content, compressed or as it is; what is not packed is always as it is. */
  read(encoding?: Encoding): Promise<Uint8Array>
}

/** The files of a page by their paths in it. */
export type PackedFolder = ReadonlyMap<string, PackedFile>

/** The web client: its index, filled in, and the files that it is made of. */
export type WebPage = { index: string; files: PackedFolder }

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** Whether a file is for browsers. What has another ending lies beside them for people: licences, notices. */
export function isServed(name: string): boolean {
  return extname(name) in contentTypes
}

/** Answers with a file of a page, compressed in the way that is smallest of those that whoever asks can read. */
export async function sendPackedFile(
  req: Request,
  res: Response,
  { name, file, cacheControl }: { name: string; file: PackedFile; cacheControl: string },
): Promise<void> {
  const encoding = file.packed ? encodings.find((one) => req.acceptsEncodings(one) === one) : undefined
  const headers = {
    ...pageHeaders,
    'Content-Type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': cacheControl,
    ...(file.packed && { Vary: 'Accept-Encoding' }),
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  answer(res, 200, headers, await file.read(encoding))
}
