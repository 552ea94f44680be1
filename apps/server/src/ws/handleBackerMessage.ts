import {
  type ClientMessage,
  type Clock,
  closeCodes,
  describeRejection,
  type PublicRfqId,
  type QuoteAckMessage,
  type Rejection,
  rejectionDetails,
} from '@firmquote/core'
import { clientMessageShape, decode } from '@firmquote/core/wire'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { describeFailure } from '../app/failure.ts'
import type { AuctionHub } from '../app/service.ts'
import type { DoorLimits } from '../doors/doorLimits.ts'
import type { BackerConnection } from './backerConnection.ts'

/** The dependencies of the handler, and the backer whose messages it gets. */
export type BackerMessageHandlerOptions = {
  hub: Pick<AuctionHub, 'submit' | 'decline'>
  clock: Clock
  limits: Pick<DoorLimits, 'quotesInFlight' | 'unreadableMessages'>
  log: Logger
  backer: Address
  /** Whether an answer to an RFQ costs no message. */
  isFree: (rfqId: PublicRfqId) => boolean
  /** Sends what was missed; false while that is under way already. */
  resume: (asked: { id?: string; seq: number }) => boolean
}

/**
 * Creates the handler of one authenticated backer's messages. They reach the hub in their order; each verdict is sent as
 * soon as it is known.
 */
export function createBackerMessageHandler(connection: BackerConnection, options: BackerMessageHandlerOptions) {
  const { hub, clock, limits, log, backer, isFree, resume } = options
  let quotesInFlight = 0
  let malformed = 0

  function rejectMalformed(value: unknown, message: string): void {
    malformed += 1
    connection.send({ type: 'error', ...idOf(value), code: 'INVALID_REQUEST', message })
    if (malformed >= limits.unreadableMessages) connection.close(closeCodes.malformed, 'malformed')
  }

  async function submit({ rfqId, quote, ...rest }: Extract<ClientMessage, { type: 'quote' }>): Promise<void> {
    const ack = { type: 'quote_ack', ...idOf(rest), rfqId } as const
    if (quotesInFlight >= limits.quotesInFlight) return connection.send(rejected(ack, { code: 'OVERLOADED' }))
    quotesInFlight += 1
    try {
      const verdict = await hub.submit({ backer, rfqId, quote })
      connection.send(verdict.ok ? { ...ack, status: 'accepted', ...verdict.value } : rejected(ack, verdict.rejection))
    } catch (err) {
      const failure = describeFailure(err)
      log[failure.code === 'INTERNAL' ? 'error' : 'warn']({ err }, 'a quote could not be judged')
      connection.send({ ...ack, status: 'rejected', ...failure })
    } finally {
      quotesInFlight -= 1
    }
  }

  return function handleBackerMessage(
    { data, isBinary }: { data: Buffer; isBinary: boolean },
    pay: (isFree: boolean) => boolean,
  ) {
    if (isBinary) return pay(false) ? rejectMalformed(undefined, 'Messages are JSON text frames.') : undefined
    let value: unknown
    try {
      value = JSON.parse(data.toString())
    } catch {
      return pay(false) ? rejectMalformed(undefined, 'The message is not JSON.') : undefined
    }
    const decoded = decode(clientMessageShape, value)
    if (!pay(decoded.ok && 'rfqId' in decoded.value && isFree(decoded.value.rfqId))) return
    if (!decoded.ok) {
      const mistakes = decoded.issues.slice(0, 20).map(({ path, message }) => `${path} ${message}`.trim())
      return rejectMalformed(value, `The message does not fit: ${mistakes.join('; ')}.`)
    }
    const message = decoded.value
    switch (message.type) {
      case 'quote':
        void submit(message)
        return
      case 'decline': {
        const { rfqId, reason } = message
        hub.decline({ backer, rfqId, ...(reason !== undefined && { reason }) })
        return
      }
      case 'resume':
        if (!resume({ ...idOf(message), seq: message.seq })) {
          const text = 'What an earlier resume has asked for is still being sent.'
          connection.send({ type: 'error', ...idOf(message), code: 'OVERLOADED', message: text })
        }
        return
      case 'ping':
        connection.send({ type: 'pong', ...idOf(message), serverTime: clock.now() })
    }
  }
}

function rejected(ack: Pick<QuoteAckMessage, 'type' | 'id' | 'rfqId'>, rejection: Rejection): QuoteAckMessage {
  const details = rejectionDetails(rejection)
  return {
    ...ack,
    status: 'rejected',
    code: rejection.code,
    message: describeRejection(rejection),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/** The id of a message, which its answer echoes, unless it is absent or malformed. */
function idOf(value: unknown): { id?: string } {
  if (typeof value !== 'object' || value === null || !('id' in value)) return {}
  const { id } = value
  return typeof id === 'string' && id.length <= 64 ? { id } : {}
}
