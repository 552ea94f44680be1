import { encodeJson, type Shape } from '@firmquote/core/wire'
import type { Response } from 'express'
import * as z from 'zod/mini'

/** The query of an endpoint that has none. */
export const noQuery: Shape<Record<never, never>> = z.strictObject({})

/** Answers with a value of the wire. */
export function sendJson(res: Response, status: number, value: unknown): void {
  res.status(status).type('application/json').send(encodeJson(value))
}
