import type { Answer, Body, Endpoint, Headers, PathParameters, Query } from '@firmquote/core/endpoints'
import type { Request, Response } from 'express'
import type { HttpContext } from './httpContext.ts'
import { sendJson } from './responses/answer.ts'

/** An endpoint's decoded request. */
export type Input<E extends Endpoint> = {
  parameters: PathParameters<E>
  query: Query<E>
  headers: Headers<E>
  body: Body<E>
}

/** Returned by a handler that sends the response itself. */
export const answered: Answered = { answered: true }
type Answered = { readonly answered: true }

/** Handles a decoded request. Returns the value to send with status 200, or {@link answered}. */
export type Handler<E extends Endpoint> = (
  input: Input<E>,
  req: Request,
  res: Response,
) => Outgoing<E> | Promise<Outgoing<E>>

type Outgoing<E extends Endpoint> = (200 extends keyof E['answers'] ? Answer<E, 200> : never) | Answered

/** Binds a handler to an endpoint's record. `create` is called once. */
export function handle<const E extends Endpoint>(endpoint: E, create: (context: HttpContext) => Handler<E>) {
  return { endpoint, create }
}

/** Sends the value that the endpoint's record defines for a status. */
export function sendAnswer<E extends Endpoint, Status extends keyof E['answers'] & number>(
  res: Response,
  _endpoint: E,
  status: Status,
  value: Answer<E, Status>,
  headers: Record<string, string> = {},
): Answered {
  sendJson(res, status, value, headers)
  return answered
}
