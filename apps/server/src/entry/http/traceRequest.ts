import { parseTraceparent } from '@firmquote/core/protocol'
import type { Request, Response } from 'express'
import type { Tracing } from '../../ports/tracing.ts'
import { problemOf } from './responses/problem.ts'

/**
 * Traces a route's requests. The span continues the trace in the `traceparent` header and ends with the response. The
 * span records the route, not the path, which may contain a secret `rfqId`.
 */
export function traceRequest(
  tracing: Tracing,
  { method, route }: { method: string; route: string },
  serve: (req: Request, res: Response) => Promise<void>,
): (req: Request, res: Response) => Promise<void> {
  const attributes = { 'http.request.method': method, 'http.route': route }
  return async (req, res) => {
    const { traceparent: given } = req.headers
    // A malformed header starts a new trace.
    const parent = (typeof given === 'string' && parseTraceparent(given)) || undefined
    const span = tracing.begin(`${method} ${route}`, { kind: 'server', parent, attributes })
    if (!span) return tracing.run(null, () => serve(req, res))
    let code: string | undefined
    res.once('close', () => {
      const { statusCode } = res
      span.set({ 'http.response.status_code': statusCode, ...(code !== undefined && { 'firmquote.code': code }) })
      if (statusCode >= 500) span.fail(code ?? String(statusCode))
      span.end()
    })
    try {
      await tracing.run(span, () => serve(req, res))
    } catch (error) {
      code = problemOf(error).code
      throw error
    }
  }
}
