import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'

export const handleGetPositions = handle(
  endpoints.getPositions,
  ({ service: { markets } }) =>
    ({ query }) =>
      markets.positions(query),
)
