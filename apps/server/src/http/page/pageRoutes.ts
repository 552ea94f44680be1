import { createHash } from 'node:crypto'
import type { Express } from 'express'
import { allow, headersOf } from '../answers/answer.ts'
import { ProblemError } from '../answers/problem.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { findPageFile, sendPageFile } from './pageFile.ts'
import { pageHeaders } from './pageHeaders.ts'

/** The names of assets hold a hash of their content; the others keep their name when they change. */
const forever = 'public, max-age=31536000, immutable'
const askEveryTime = 'no-cache'
const assets = 'assets/'

/** The web client at `/`. What it shows stands behind the `#` of the address, so no other path is a page. */
export function addPageRoutes(app: Express, { page }: Pick<HttpDoor, 'page'>): void {
  const { index, root, files } = page ?? { index: '', root: '', files: new Map() }
  const tag = `"${createHash('sha256').update(index).digest('base64url')}"`
  app
    .route('/')
    .get((_req, res) => {
      if (!page) throw new ProblemError({ code: 'NOT_FOUND', detail: unbuilt })
      const headers = { ...pageHeaders, 'Cache-Control': askEveryTime, ETag: tag }
      res.set(headersOf(res, { ...headers, 'Content-Type': 'text/html; charset=utf-8' })).send(index)
    })
    .all(allow('GET'))

  app
    .route(`/${assets}:file`)
    .get((req, res, next) => {
      const name = `${assets}${String(req.params['file'])}`
      const file = findPageFile({ root, files }, name)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The page has no such file.' })
      sendPageFile({ req, res, next }, { root, name, file, cacheControl: forever })
    })
    .all(allow('GET'))

  for (const name of files.keys()) {
    const file = findPageFile({ root, files }, name)
    if (name.includes('/') || !file) continue
    app
      .route(`/${name}`)
      .get((req, res, next) => sendPageFile({ req, res, next }, { root, name, file, cacheControl: askEveryTime }))
      .all(allow('GET'))
  }
}

const unbuilt =
  'This server runs without its page, which has not been built: run `npm run build` and start the server again.'
