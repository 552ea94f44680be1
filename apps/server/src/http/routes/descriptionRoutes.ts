import type { Express } from 'express'
import { allow } from '../answers/allow.ts'
import { noQuery, sendJson } from '../answers/sendJson.ts'
import { asyncApiDocument } from '../description/asyncApi.ts'
import { readExampleFacts } from '../description/exampleFacts.ts'
import { openApiDocument } from '../description/openApi.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { readQuery } from '../readRequest.ts'

/** The API's description of itself. */
export function addDescriptionRoutes(app: Express, { service, clock, audience }: HttpDoor): void {
  app
    .route('/openapi.json')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const facts = await readExampleFacts(service, clock.now())
      sendJson(res, 200, openApiDocument({ version: service.config.apiVersion, facts }))
    })
    .all(allow('GET'))

  app
    .route('/asyncapi.json')
    .get((req, res) => {
      readQuery(req, noQuery)
      sendJson(res, 200, asyncApiDocument({ version: service.config.apiVersion, audience: audience() }))
    })
    .all(allow('GET'))
}
