import { takerAudience } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'

export const handleGetConfig = handle(endpoints.getConfig, ({ service: { config }, audience }) => () => ({
  ...config,
  takerAudience: takerAudience(audience()),
}))
