import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import { authorizeMaker } from './authorizeMaker.ts'

export const handleGetMakerOutcomes = handle(
  endpoints.getMakerOutcomes,
  (door) =>
    async ({ query }, req) =>
      door.service.makers.outcomes(await authorizeMaker(door, req), query),
)
