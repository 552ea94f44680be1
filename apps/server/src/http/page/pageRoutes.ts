import { createHash } from 'node:crypto'
import type { Express } from 'express'
import { allow } from '../answers/allow.ts'
import { answer, headersOf } from '../answers/answer.ts'
import { ProblemError } from '../answers/problem.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { isServed, type PackedFile, sendPackedFile } from './packedFile.ts'
import { pageHeaders } from './pageHeaders.ts'

/** The names of assets hold a hash of their content; the others keep their name when they change. */
const forever = 'public, max-age=31536000, immutable'
const askEveryTime = 'no-cache'
const assets = 'assets/'

/** The web client at `/`. What it is asked to show stands behind the `#`, so no other path is a page. */
export function addPageRoutes(app: Express, { page }: Pick<HttpDoor, 'page'>): void {
  const { index = '', files = new Map<string, PackedFile>() } = page ?? {}
  const tag = `"${createHash('sha256').update(index).digest('base64url')}"`
  const headers = { ...pageHeaders, 'Cache-Control': askEveryTime, ETag: tag }
  app
    .route('/')
    .get((req, res) => {
      if (!page) throw new ProblemError({ code: 'NOT_FOUND', detail: unbuilt })
      if (req.headers['if-none-match']?.includes(tag)) {
        res.writeHead(304, headersOf(res, headers)).end()
        return
      }
      answer(res, 200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, index)
    })
    .all(allow('GET'))

  app
    .route(`/${assets}:file`)
    .get(async (req, res) => {
      const name = `${assets}${String(req.params['file'])}`
      const file = isServed(name) && files.get(name)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The page has no such file.' })
      await sendPackedFile(req, res, { name, file, cacheControl: forever })
    })
    .all(allow('GET'))

  for (const [name, file] of files) {
    if (name.includes('/') || !isServed(name)) continue
    app
      .route(`/${name}`)
      .get((req, res) => sendPackedFile(req, res, { name, file, cacheControl: askEveryTime }))
      .all(allow('GET'))
  }
}

const unbuilt =
  'This server runs without its page, which has not been built: run `npm run build` and start the server again.'
