import type { ServerMessage } from '@firmquote/core'
import { serverMessageShape as knownMessageShape } from '../generated/decoders.ts'
import { anything, type Shape } from './shape.ts'

/**
 * Decodes a message from the service on `/ws/rfq`. Returns null if this version does not know the message's type.
 *
 * @throws {InvalidInputError} if a message of a known type is malformed.
 */
export const serverMessageShape: Shape<ServerMessage | null> = (value, path) => {
  const { type } = anything(value, path)
  const known = typeof type === 'string' && Object.hasOwn(knownMessageShape.cases, type)
  return known ? knownMessageShape(value, path) : null
}
