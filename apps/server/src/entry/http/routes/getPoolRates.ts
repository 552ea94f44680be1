import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'

export const handleGetPoolRates = handle(endpoints.getPoolRates, ({ service: { markets } }) => async ({ query }) => ({
  pools: await markets.pools(query),
}))
