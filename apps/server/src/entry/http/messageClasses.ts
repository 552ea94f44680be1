// Why: docs/decisions/0018-express-prototypes.md
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Message classes for `http.createServer` whose prototypes are the app's own. Express gives every request and every
 * response its prototypes; to objects that were made with them this changes nothing and costs nothing, to any other it
 * costs more than the rest of its work.
 */
export function messageClassesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse<AppRequest> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
