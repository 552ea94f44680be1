import type { Express, Response } from 'express'
import { allow, answer } from '../answers/answer.ts'
import { ProblemError } from '../answers/problem.ts'
import { requireNoQuery } from '../decodeRequest.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { findPageFile, sendPageFile } from './pageFile.ts'
import { pageHeaders } from './pageHeaders.ts'

/** The page that shows the API's description: Swagger UI, and nothing from another server. */
export function addDocsRoutes(app: Express, { docs }: Pick<HttpDoor, 'docs'>): void {
  app
    .route('/docs')
    .get((req, res) => {
      requireNoQuery(req)
      sendPart(res, 'html', page)
    })
    .all(allow('GET'))

  app
    .route('/docs/:file')
    .get((req, res, next) => {
      requireNoQuery(req)
      const name = String(req.params['file'])
      if (name === 'start.js') return sendPart(res, 'javascript', start)
      const file = findPageFile(docs, name)
      if (!file) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The documentation has no such file.' })
      sendPageFile({ req, res, next }, { root: docs.root, name, file, cacheControl: 'public, max-age=3600' })
    })
    .all(allow('GET'))
}

function sendPart(res: Response, type: 'html' | 'javascript', body: string): void {
  answer(res, 200, { ...pageHeaders, 'Content-Type': `text/${type}; charset=utf-8` }, body)
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
