import { encodeJson } from '@firmquote/core/wire'
import type { Express } from 'express'
import { allow } from '../answers/answer.ts'
import { sendShared } from '../answers/sendShared.ts'
import { packSharedBody } from '../answers/sharedBody.ts'
import { requireNoQuery } from '../decodeRequest.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { makeEvery, makeOnce } from '../makeOnce.ts'
import { asyncApiDocument } from './asyncApi.ts'
import { collectExampleFacts } from './exampleFacts.ts'
import { openApiDocument } from './openApi.ts'

/** How long the examples stay those of the same pool and quote. */
const examplesMs = 60_000
const json = 'application/json; charset=utf-8'
const headers = { 'Cache-Control': 'no-cache' }

/** The API's description of itself. */
export function addDescriptionRoutes(app: Express, { service, clock, audience }: HttpDoor): void {
  const version = service.config.apiVersion
  const openApi = makeEvery(examplesMs, clock, async () => {
    const facts = await collectExampleFacts(service, clock.now())
    return packSharedBody(json, encodeJson(openApiDocument({ version, facts })))
  })
  const asyncApi = makeOnce(() => packSharedBody(json, encodeJson(asyncApiDocument({ version, audience: audience() }))))
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
