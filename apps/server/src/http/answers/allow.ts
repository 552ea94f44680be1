import type { RequestHandler } from 'express'
import { ProblemError } from './problem.ts'

/** The last handler of a route: every other method is refused with the list of those that it has. */
export function allow(methods: string): RequestHandler {
  return (req) => {
    throw new ProblemError({
      code: 'METHOD_NOT_ALLOWED',
      detail: `This endpoint does not take ${req.method}; it takes ${methods}.`,
      headers: { Allow: methods },
    })
  }
}
