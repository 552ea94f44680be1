import { endpoints } from '@firmquote/core/endpoints'
import { handle, sendAnswer } from '../handle.ts'

const { getHealth } = endpoints

export const handleGetHealth = handle(getHealth, ({ service }) => async (_input, _req, res) => {
  const health = await service.health()
  return health.status === 'down' ? sendAnswer(res, getHealth, 503, health) : health
})
