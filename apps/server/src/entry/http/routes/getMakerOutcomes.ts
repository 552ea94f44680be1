import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import { authorizeMaker } from './authorizeMaker.ts'

export const handleGetMakerOutcomes = handle(
  endpoints.getMakerOutcomes,
  (context) =>
    async ({ query }, req) =>
      context.service.makers.outcomes(await authorizeMaker(context, req), query),
)
