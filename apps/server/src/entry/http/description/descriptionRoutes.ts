import { encodeJson } from '@firmquote/core/utils'
import type { Express } from 'express'
import { requireNoQuery } from '../decodeRequest.ts'
import type { HttpContext } from '../httpContext.ts'
import { cacheFor, memoizeAsync } from '../memoize.ts'
import { allow } from '../responses/answer.ts'
import { sendShared } from '../responses/sendShared.ts'
import { packSharedBody } from '../responses/sharedBody.ts'
import { asyncApiDocument } from './asyncApi.ts'
import { collectExampleFacts } from './exampleFacts.ts'
import { openApiDocument } from './openApi.ts'

/** Milliseconds for which examples use the same pool and quote. */
const examplesMs = 60_000
const json = 'application/json; charset=utf-8'
const headers = { 'Cache-Control': 'no-cache' }

/** Adds the machine-readable descriptions of the API. */
export function addDescriptionRoutes(app: Express, { service, clock, audience }: HttpContext): void {
  const version = service.config.apiVersion
  const openApi = cacheFor(examplesMs, clock, async () => {
    const facts = await collectExampleFacts(service, clock.now())
    return packSharedBody(json, encodeJson(openApiDocument({ version, facts })))
  })
  const asyncApi = memoizeAsync(() =>
    packSharedBody(json, encodeJson(asyncApiDocument({ version, audience: audience() }))),
  )
  app
    .route('/openapi.json')
    .get(async (req, res) => {
      requireNoQuery(req)
      sendShared(req, res, await openApi(), headers)
    })
    .all(allow('GET'))

  app
    .route('/asyncapi.json')
    .get(async (req, res) => {
      requireNoQuery(req)
      sendShared(req, res, await asyncApi(), headers)
    })
    .all(allow('GET'))
}
