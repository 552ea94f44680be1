import type { Express } from 'express'
import { allow } from '../answers/answer.ts'
import { ProblemError } from '../answers/problem.ts'
import { packSharedBody } from '../answers/sharedBody.ts'
import { requireNoQuery } from '../decodeRequest.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { makeOnce } from '../makeOnce.ts'
import { sendPagePart } from './pageFile.ts'

const anHour = 'public, max-age=3600'
const askEveryTime = 'no-cache'

/** What the page loads of Swagger UI. */
export const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css']

/** The page that shows the API's description: Swagger UI, and nothing from another server. */
export function addDocsRoutes(app: Express, { docs }: Pick<HttpDoor, 'docs'>): void {
  const pageBody = makeOnce(() => packSharedBody('text/html; charset=utf-8', page))
  const startBody = makeOnce(() => packSharedBody('text/javascript; charset=utf-8', start))
  app
    .route('/docs')
    .get(async (req, res) => {
      requireNoQuery(req)
      sendPagePart(req, res, await pageBody(), askEveryTime)
    })
    .all(allow('GET'))

  app
    .route('/docs/:file')
    .get(async (req, res) => {
      requireNoQuery(req)
      const name = String(req.params['file'])
      if (name === 'start.js') return sendPagePart(req, res, await startBody(), askEveryTime)
      const file = docs.get(name)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The documentation has no such file.' })
      sendPagePart(req, res, file, anHour)
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

/** No validator service, no settings from the page's address, no credentials kept. */
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
