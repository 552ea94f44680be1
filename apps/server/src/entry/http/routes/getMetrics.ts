import { endpoints } from '@firmquote/core/endpoints'
import { answered, handle } from '../handle.ts'
import { answer } from '../responses/answer.ts'

export const handleGetMetrics = handle(
  endpoints.getMetrics,
  ({ service, metrics, sockets }) =>
    async (_input, _req, res) => {
      const page = await metrics.write({ ...(await service.figures()), sockets: sockets() })
      answer(res, 200, { 'Content-Type': metrics.contentType }, page)
      return answered
    },
)
