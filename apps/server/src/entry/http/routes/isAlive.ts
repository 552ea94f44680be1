import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'

export const handleIsAlive = handle(endpoints.isAlive, () => () => 'alive\n')
