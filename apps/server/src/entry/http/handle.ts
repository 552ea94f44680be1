import type { Answer, Body, Endpoint, Headers, PathParameters, Query } from '@firmquote/core/endpoints'
import type { Request, Response } from 'express'
import type { HttpContext } from './httpContext.ts'
import { sendJson } from './responses/answer.ts'

/** A request as its endpoint's record decodes it. */
export type Input<E extends Endpoint> = {
  parameters: PathParameters<E>
  query: Query<E>
  headers: Headers<E>
  body: Body<E>
}

/** Says that a handler has answered by itself, or will. */
export const answered: Answered = { answered: true }
type Answered = { readonly answered: true }

/** Answers a decoded request: with the value that goes out with status 200, or by itself. */
export type Handler<E extends Endpoint> = (
  input: Input<E>,
  req: Request,
  res: Response,
) => Outgoing<E> | Promise<Outgoing<E>>

type Outgoing<E extends Endpoint> = (200 extends keyof E['answers'] ? Answer<E, 200> : never) | Answered

/** Ties an endpoint's record to what answers it; `create` is called once, with what the HTTP side works with. */
export function handle<const E extends Endpoint>(endpoint: E, create: (context: HttpContext) => Handler<E>) {
  return { endpoint, create }
}

/** Answers with the value that an endpoint's record has for this status. */
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
