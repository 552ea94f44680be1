import type { QuoteAckMessage, ServerMessage } from '@firmquote/core'
import { address, anything, array, bytes32, number, object, oneOf, rfqId, type Shape, string } from './shape.ts'
import { rfqShape } from './wireShapes.ts'

const id = { id: string }
const ackFields = { type: oneOf('quote_ack'), rfqId }

const acceptedShape = object(
  { ...ackFields, status: oneOf('accepted'), hash: bytes32, receivedAt: number, closesAt: number },
  id,
)
const rejectedShape = object(
  { ...ackFields, status: oneOf('rejected'), code: string, message: string },
  { ...id, details: anything },
)

/** The verdict on a submitted quote. */
export const quoteAckShape: Shape<QuoteAckMessage> = (value, path) =>
  (anything(value, path)['status'] === 'accepted' ? acceptedShape : rejectedShape)(value, path) as QuoteAckMessage

const shapes: Record<ServerMessage['type'], Shape<unknown>> = {
  auth_challenge: object({
    type: string,
    challenge: string,
    chainId: number,
    quoteMarket: address,
    serverTime: number,
    expiresAt: number,
  }),
  authenticated: object({ type: string, address, sessionId: string, expiresAt: number, openRfqs: array(rfqShape) }),
  auth_failed: object({ type: string, code: string, message: string, serverTime: number }),
  rfq: (value, path) => ({ type: 'rfq', ...rfqShape(value, path) }),
  quote_ack: quoteAckShape,
  auction_result: object(
    { type: string, rfqId, closedAt: number, quoteCount: number },
    { own: object({ hash: bytes32, rank: number }) },
  ),
  pong: object({ type: string, serverTime: number }, id),
  error: object({ type: string, code: string, message: string }, id),
}

/**
 * Reads what the service says on `/ws/rfq`; null for a kind of message that this version does not know.
 *
 * @throws {InvalidInputError} when a known kind does not fit.
 */
export const serverMessageShape: Shape<ServerMessage | null> = (value, path) => {
  const { type } = anything(value, path)
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return null
  return shapes[type as ServerMessage['type']](value, path) as ServerMessage
}
