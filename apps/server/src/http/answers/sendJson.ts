import type { OutgoingHttpHeaders } from 'node:http'
import { encodeJson, type Shape } from '@firmquote/core/wire'
import type { Response } from 'express'
import * as z from 'zod/mini'
import { answer } from './answer.ts'

/** The query of an endpoint that has none. */
export const noQuery: Shape<Record<never, never>> = z.strictObject({})

/** Answers with a value of the wire. */
export function sendJson(res: Response, status: number, value: unknown, own: OutgoingHttpHeaders = {}): void {
  sendJsonText(res, status, encodeJson(value), own)
}

/** Answers with JSON that is text already. */
export function sendJsonText(res: Response, status: number, text: string, own: OutgoingHttpHeaders = {}): void {
  answer(res, status, { 'Content-Type': 'application/json; charset=utf-8', ...own }, text)
}
