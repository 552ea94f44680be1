import type { Express } from 'express'
import type { HttpContext } from '../httpContext.ts'
import { memoizeAsync } from '../memoize.ts'
import { allow } from '../responses/answer.ts'
import { ProblemError } from '../responses/problem.ts'
import { packSharedBody } from '../responses/sharedBody.ts'
import { sendWebAppFile } from './webAppFile.ts'
import { remoteWalletHeaders, webAppHeaders } from './webAppHeaders.ts'

/** The names of assets hold a hash of their content; the others keep their name when they change. */
const forever = 'public, max-age=31536000, immutable'
const askEveryTime = 'no-cache'
const assets = 'assets/'

/** The web client at `/`. What it shows stands behind the `#` of the address, so no other path is a page. */
export function addWebAppRoutes(app: Express, { page }: Pick<HttpContext, 'page'>): void {
  const { index, files, hasRemoteWallets } = page ?? { index: '', files: new Map(), hasRemoteWallets: false }
  // The policy of the document is that of the page; its scripts, styles and pictures have none of their own to follow.
  const headers = hasRemoteWallets ? remoteWalletHeaders : webAppHeaders
  const indexBody = memoizeAsync(() => packSharedBody('text/html; charset=utf-8', index))
  app
    .route('/')
    .get(async (req, res) => {
      if (!page) throw new ProblemError({ code: 'NOT_FOUND', detail: unbuilt })
      sendWebAppFile(req, res, await indexBody(), askEveryTime, headers)
    })
    .all(allow('GET'))

  app
    .route(`/${assets}:file`)
    .get((req, res) => {
      const file = files.get(`${assets}${String(req.params['file'])}`)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The page has no such file.' })
      sendWebAppFile(req, res, file, forever)
    })
    .all(allow('GET'))

  for (const [name, file] of files) {
    if (name.includes('/')) continue
    app
      .route(`/${name}`)
      .get((req, res) => sendWebAppFile(req, res, file, askEveryTime))
      .all(allow('GET'))
  }
}

const unbuilt =
  'This server runs without its page, which has not been built: run `npm run build` and start the server again.'
