import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'

export const handleGetCurrentRates = handle(endpoints.getCurrentRates, ({ service: { markets } }) => async () => ({
  rates: await markets.rates(),
}))
