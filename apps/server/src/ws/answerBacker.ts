import {
  type ClientMessage,
  type Clock,
  closeCodes,
  describeRejection,
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
import type { BackerLine } from './backerLine.ts'

/** What the messages of one authenticated backer are answered with. */
export type MessageReaderOptions = {
  hub: Pick<AuctionHub, 'submit' | 'decline'>
  clock: Clock
  limits: Pick<DoorLimits, 'quotesInFlight' | 'unreadableMessages'>
  log: Logger
  backer: Address
}

/**
 * Reads the messages of one authenticated backer. They reach the hub in their order; the verdicts on several quotes
 * come as they are found.
 */
export function createMessageReader(line: BackerLine, options: MessageReaderOptions) {
  const { hub, clock, limits, log, backer } = options
  let inFlight = 0
  let unreadable = 0

  function refuseUnreadable(value: unknown, message: string): void {
    unreadable += 1
    line.send({ type: 'error', ...idOf(value), code: 'INVALID_REQUEST', message })
    if (unreadable >= limits.unreadableMessages) line.close(closeCodes.malformed, 'malformed')
  }

  async function submit({ rfqId, quote, ...rest }: Extract<ClientMessage, { type: 'quote' }>): Promise<void> {
    const about = { type: 'quote_ack', ...idOf(rest), rfqId } as const
    if (inFlight >= limits.quotesInFlight) return line.send(rejected(about, { code: 'OVERLOADED' }))
    inFlight += 1
    try {
      const verdict = await hub.submit({ backer, rfqId, quote })
      line.send(verdict.ok ? { ...about, status: 'accepted', ...verdict.value } : rejected(about, verdict.rejection))
    } catch (err) {
      const failure = describeFailure(err)
      log[failure.code === 'INTERNAL' ? 'error' : 'warn']({ err }, 'a quote could not be judged')
      line.send({ ...about, status: 'rejected', ...failure })
    } finally {
      inFlight -= 1
    }
  }

  return ({ data, isBinary }: { data: Buffer; isBinary: boolean }) => {
    if (isBinary) return refuseUnreadable(undefined, 'Messages are JSON text frames.')
    let value: unknown
    try {
      value = JSON.parse(data.toString())
    } catch {
      return refuseUnreadable(undefined, 'The message is not JSON.')
    }
    const decoded = decode(clientMessageShape, value)
    if (!decoded.ok) {
      const mistakes = decoded.issues.slice(0, 20).map(({ path, message }) => `${path} ${message}`.trim())
      return refuseUnreadable(value, `The message does not fit: ${mistakes.join('; ')}.`)
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
      case 'ping':
        line.send({ type: 'pong', ...idOf(message), serverTime: clock.now() })
    }
  }
}

function rejected(about: Pick<QuoteAckMessage, 'type' | 'id' | 'rfqId'>, rejection: Rejection): QuoteAckMessage {
  const details = rejectionDetails(rejection)
  return {
    ...about,
    status: 'rejected',
    code: rejection.code,
    message: describeRejection(rejection),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/** The id that an answer echoes: that of the message, where it has a usable one. */
function idOf(value: unknown): { id?: string } {
  if (typeof value !== 'object' || value === null || !('id' in value)) return {}
  const { id } = value
  return typeof id === 'string' && id.length <= 64 ? { id } : {}
}
