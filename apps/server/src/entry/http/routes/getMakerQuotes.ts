import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import { authorizeMaker } from './authorizeMaker.ts'

export const handleGetMakerQuotes = handle(
  endpoints.getMakerQuotes,
  (context) =>
    async ({ query }, req) =>
      context.service.makers.quotes(await authorizeMaker(context, req), query),
)
