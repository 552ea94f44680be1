import type { Express } from 'express'
import { allow, sendJson } from '../answers/answer.ts'
import { requireNoQuery } from '../decodeRequest.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { asyncApiDocument } from './asyncApi.ts'
import { collectExampleFacts } from './exampleFacts.ts'
import { openApiDocument } from './openApi.ts'

/** The API's description of itself. */
export function addDescriptionRoutes(app: Express, { service, clock, audience }: HttpDoor): void {
  app
    .route('/openapi.json')
    .get(async (req, res) => {
      requireNoQuery(req)
      const facts = await collectExampleFacts(service, clock.now())
      sendJson(res, 200, openApiDocument({ version: service.config.apiVersion, facts }))
    })
    .all(allow('GET'))

  app
    .route('/asyncapi.json')
    .get((req, res) => {
      requireNoQuery(req)
      sendJson(res, 200, asyncApiDocument({ version: service.config.apiVersion, audience: audience() }))
    })
    .all(allow('GET'))
}
