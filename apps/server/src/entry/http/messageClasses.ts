// Why: docs/decisions/0018-express-prototypes.md
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Message classes for `http.createServer` that have the app's own prototypes. Express sets these prototypes on every
 * request and response. Setting them is free on objects that already have them; on others, it costs more than the rest
 * of Express.
 */
export function messageClassesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse<AppRequest> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
