import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import { authorizeMaker } from './authorizeMaker.ts'

export const handleGetMakerQuotes = handle(
  endpoints.getMakerQuotes,
  (door) =>
    async ({ query }, req) =>
      door.service.makers.quotes(await authorizeMaker(door, req), query),
)
