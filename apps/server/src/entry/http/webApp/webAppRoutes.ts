import type { Express } from 'express'
import type { HttpContext } from '../httpContext.ts'
import { memoizeAsync } from '../memoize.ts'
import { allow } from '../responses/answer.ts'
import { ProblemError } from '../responses/problem.ts'
import { packSharedBody } from '../responses/sharedBody.ts'
import { sendWebAppFile } from './webAppFile.ts'
import { remoteWalletHeaders, webAppHeaders } from './webAppHeaders.ts'

/**
 * The `Cache-Control` header for assets, whose names contain a content hash. Other files keep their names when their
 * content changes.
 */
const forever = 'public, max-age=31536000, immutable'
const askEveryTime = 'no-cache'
const assets = 'assets/'

/** Adds the web app at `/`. The web app's routes are in the URL fragment, so it has no other paths. */
export function addWebAppRoutes(app: Express, { webApp }: Pick<HttpContext, 'webApp'>): void {
  const { index, files, hasRemoteWallets } = webApp ?? { index: '', files: new Map(), hasRemoteWallets: false }
  // The document's policy also applies to its scripts, styles and images.
  const headers = hasRemoteWallets ? remoteWalletHeaders : webAppHeaders
  const indexBody = memoizeAsync(() => packSharedBody('text/html; charset=utf-8', index))
  app
    .route('/')
    .get(async (req, res) => {
      if (!webApp) throw new ProblemError({ code: 'NOT_FOUND', detail: unbuilt })
      sendWebAppFile(req, res, await indexBody(), askEveryTime, headers)
    })
    .all(allow('GET'))

  app
    .route(`/${assets}:file`)
    .get((req, res) => {
      const file = files.get(`${assets}${String(req.params['file'])}`)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The web app has no such file.' })
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

const unbuilt = 'This server has no web app, because it has not been built: run `npm run build` and restart the server.'
