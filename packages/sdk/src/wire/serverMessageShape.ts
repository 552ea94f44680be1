import type { ServerMessage } from '@firmquote/core'
import { serverMessageShape as knownMessageShape } from '../generated/decoders.ts'
import { anything, type Shape } from './shape.ts'

/**
 * Decodes what the service sends on `/ws/rfq`; null for a type of message that this version does not know.
 *
 * @throws {InvalidInputError} when a message of a known type does not fit.
 */
export const serverMessageShape: Shape<ServerMessage | null> = (value, path) => {
  const { type } = anything(value, path)
  const known = typeof type === 'string' && Object.hasOwn(knownMessageShape.cases, type)
  return known ? knownMessageShape(value, path) : null
}
