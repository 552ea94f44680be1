import type { Express } from 'express'
import type { HttpContext } from '../httpContext.ts'
import { allow, answer } from '../responses/answer.ts'
import { sendShared } from '../responses/sendShared.ts'
import { headersWithScripts, webAppHeaders } from './webAppHeaders.ts'

/**
 * The `Cache-Control` header for assets, whose names contain a content hash. Other files keep their names when their
 * content changes.
 */
const forever = 'public, max-age=31536000, immutable'
const askEveryTime = 'no-cache'

/** Adds the docs site at `/learn`. For unknown paths, it sends its 404 page. */
export function addDocsSiteRoutes(app: Express, { docsSite }: Pick<HttpContext, 'docsSite'>): void {
  const headers = docsSite ? headersWithScripts(docsSite.scripts) : webAppHeaders
  app
    .route('/learn{/*path}')
    .get(async (req, res) => {
      const segments = (req.params as { path?: string[] }).path ?? []
      const file = docsSite?.find(segments.join('/'))
      const body = await docsSite?.read(file ?? '404.html')
      if (!body) {
        answer(res, 404, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, docsSite ? replaced : unbuilt)
        return
      }
      const cacheControl = file?.startsWith('assets/') ? forever : askEveryTime
      if (!res.closed) sendShared(req, res, body, { ...headers, 'Cache-Control': cacheControl }, file ? 200 : 404)
    })
    .all(allow('GET'))
}

const unbuilt = pageOf(
  'The docs site has not been built: run <code>npm run docs</code> in the repository and restart the server.',
)
const replaced = pageOf('The docs site was replaced while the server was running. Restart the server.')

function pageOf(sentence: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Firmquote documentation</title>
<p>${sentence}</p>
</html>
`
}
