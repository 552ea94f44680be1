import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Express, Response } from 'express'
import { allow } from './allow.ts'
import { answer } from './answer.ts'
import type { HttpDoor } from './httpDoor.ts'
import { ProblemError } from './problem.ts'
import { readQuery } from './readRequest.ts'
import { noQuery } from './sendJson.ts'

/** The page that shows the API's description, made of Swagger UI and of nothing that comes from elsewhere. */
export function addDocsRoutes(app: Express, { docs }: Pick<HttpDoor, 'docs'>): void {
  app
    .route('/docs')
    .get((req, res) => {
      readQuery(req, noQuery)
      sendPart(res, 'html', page)
    })
    .all(allow('GET'))

  app
    .route('/docs/:file')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const name = String(req.params['file'])
      if (name === 'start.js') return sendPart(res, 'javascript', start)
      const packed = await docs(name)
      if (!packed) throw new ProblemError({ code: 'NOT_FOUND', detail: 'The documentation has no such file.' })
      const takesPacked = req.acceptsEncodings('gzip') === 'gzip'
      sendPart(res, name.endsWith('.css') ? 'css' : 'javascript', takesPacked ? packed : await unpack(packed), {
        'Cache-Control': 'public, max-age=3600',
        Vary: 'Accept-Encoding',
        ...(takesPacked && { 'Content-Encoding': 'gzip' }),
      })
    })
    .all(allow('GET'))
}

const unpack = promisify(gunzip)

/** Scripts, styles and answers of this server alone; the drawings of Swagger UI's styles are `data:` URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function sendPart(
  res: Response,
  type: 'html' | 'javascript' | 'css',
  body: string | Uint8Array,
  own: OutgoingHttpHeaders = {},
): void {
  const headers = {
    'Content-Type': `text/${type}; charset=utf-8`,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    ...own,
  }
  answer(res, 200, headers, body)
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
