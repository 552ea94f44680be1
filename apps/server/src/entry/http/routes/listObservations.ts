import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'

export const handleListObservations = handle(
  endpoints.listObservations,
  ({ service: { book } }) =>
    async ({ query }) => ({ quotes: await book.observations(query) }),
)
