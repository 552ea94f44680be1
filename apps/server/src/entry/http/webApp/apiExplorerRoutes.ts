import type { Express } from 'express'
import { requireNoQuery } from '../decodeRequest.ts'
import type { HttpContext } from '../httpContext.ts'
import { memoizeAsync } from '../memoize.ts'
import { allow } from '../responses/answer.ts'
import { ProblemError } from '../responses/problem.ts'
import { packSharedBody } from '../responses/sharedBody.ts'
import { sendWebAppFile } from './webAppFile.ts'

const anHour = 'public, max-age=3600'
const askEveryTime = 'no-cache'

/** The Swagger UI files that the API explorer loads. */
export const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css']

/** Adds the API explorer: Swagger UI, which loads no files from other servers. */
export function addApiExplorerRoutes(app: Express, { apiExplorer }: Pick<HttpContext, 'apiExplorer'>): void {
  const pageBody = memoizeAsync(() => packSharedBody('text/html; charset=utf-8', page))
  const startBody = memoizeAsync(() => packSharedBody('text/javascript; charset=utf-8', start))
  app
    .route('/docs')
    .get(async (req, res) => {
      requireNoQuery(req)
      sendWebAppFile(req, res, await pageBody(), askEveryTime)
    })
    .all(allow('GET'))

  app
    .route('/docs/:file')
    .get(async (req, res) => {
      requireNoQuery(req)
      const name = String(req.params['file'])
      if (name === 'start.js') return sendWebAppFile(req, res, await startBody(), askEveryTime)
      const file = apiExplorer.get(name)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The API explorer has no such file.' })
      sendWebAppFile(req, res, file, anHour)
    })
    .all(allow('GET'))
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Firmquote API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="docs"></div>
<noscript>This page needs JavaScript; <a href="/openapi.json">the description itself</a> does not.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`

/** Disables the external validator, settings from the URL, and stored credentials. */
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  queryConfigEnabled: false,
  persistAuthorization: false,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
})
`
