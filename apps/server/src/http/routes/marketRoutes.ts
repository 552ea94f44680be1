import { positionsQueryShape } from '@firmquote/core/wire'
import type { Express } from 'express'
import { allow } from '../answers/allow.ts'
import { noQuery, sendJson } from '../answers/sendJson.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { readQuery } from '../readRequest.ts'

/** What there is to borrow against: pools, lending markets, and what an account has there. */
export function addMarketRoutes(app: Express, { service: { markets } }: HttpDoor): void {
  app
    .route('/api/v1/pools/rates')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      sendJson(res, 200, { pools: await markets.pools() })
    })
    .all(allow('GET'))

  app
    .route('/api/v1/rates/current')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      sendJson(res, 200, { rates: await markets.rates() })
    })
    .all(allow('GET'))

  app
    .route('/api/v1/positions/all')
    .get(async (req, res) => sendJson(res, 200, await markets.positions(readQuery(req, positionsQueryShape).address)))
    .all(allow('GET'))
}
