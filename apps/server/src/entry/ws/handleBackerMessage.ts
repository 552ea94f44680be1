import {
  type ClientMessage,
  describeRejection,
  type PublicRfqId,
  type QuoteAckMessage,
  type Rejection,
} from '@firmquote/core'
import { closeCodes, rejectionDetails } from '@firmquote/core/protocol'
import type { Clock } from '@firmquote/core/utils'
import { clientMessageShape, decode } from '@firmquote/core/wire'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { describeFailure } from '../../app/failure.ts'
import type { AuctionHub, Receipts, ReceiptVerdict } from '../../app/service.ts'
import { traceOfQuote } from '../../domain/traceOfQuote.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { EntryLimits } from '../entryLimits.ts'
import { parseJson } from '../parseJson.ts'
import type { BackerConnection } from './backerConnection.ts'
import type { WitnessSession } from './witnessSession.ts'

/** The handler's dependencies, and the backer whose messages it handles. */
export type BackerMessageHandlerOptions = {
  hub: Pick<AuctionHub, 'submit' | 'decline'>
  clock: Clock
  limits: Pick<EntryLimits, 'quotesInFlight' | 'unreadableMessages'>
  log: Logger
  backer: Address
  /** Returns whether an answer to an RFQ is exempt from the message limit. */
  isFree: (rfqId: PublicRfqId) => boolean
  /** Sends missed status updates. Returns false if an earlier call is still sending updates. */
  resume: (asked: { id?: string; seq: number }) => boolean
  /** Present if the backer requested receipts and the service signs them. */
  receipts?: Pick<Receipts, 'ofVerdict'>
  /** The socket's part in witnessing the log. */
  witness: WitnessSession
  /** Writes traces and returns an RFQ's `traceparent`. Absent if tracing is off. */
  traces?: { tracing: Tracing; traceOf: (rfqId: PublicRfqId) => string | undefined }
}

type QuoteMessage = Extract<ClientMessage, { type: 'quote' }>
type Accepted = Extract<ReceiptVerdict, { ok: true }>['value']

/**
 * Creates an authenticated backer's message handler. The hub receives messages in order; each verdict is sent once it
 * is known.
 */
export function createBackerMessageHandler(connection: BackerConnection, options: BackerMessageHandlerOptions) {
  const { hub, clock, limits, log, backer, isFree, resume, receipts, witness, traces } = options
  let quotesInFlight = 0
  let malformed = 0

  function rejectMalformed(value: unknown, message: string): void {
    malformed += 1
    connection.send({ type: 'error', ...idOf(value), code: 'INVALID_REQUEST', message })
    if (malformed >= limits.unreadableMessages) connection.close(closeCodes.malformed, 'malformed')
  }

  function fail(err: unknown): void {
    const { code, message } = describeFailure(err)
    log[code === 'INTERNAL' ? 'error' : 'warn']({ err }, 'failed to serve a witness')
    connection.send({ type: 'error', code, message })
  }

  /** Judges and answers a quote. Returns the answer's code. */
  async function submit({ rfqId, quote, ...rest }: QuoteMessage): Promise<string> {
    const ack = { type: 'quote_ack', ...idOf(rest), rfqId } as const
    const requestReceipt = (verdict: ReceiptVerdict) =>
      receipts?.ofVerdict({ backer, rfqId, quote }, verdict, connection, (hash, receipt) =>
        connection.send({ type: 'receipt', rfqId, hash, receipt }),
      )
    if (quotesInFlight >= limits.quotesInFlight) {
      const rejection = { code: 'OVERLOADED' } as const
      connection.send(rejected(ack, rejection))
      requestReceipt({ ok: false, rejection })
      return 'OVERLOADED'
    }
    quotesInFlight += 1
    try {
      const verdict = await hub.submit({ backer, rfqId, quote })
      connection.send(verdict.ok ? accepted(ack, verdict.value) : rejected(ack, verdict.rejection))
      requestReceipt(verdict)
      return verdict.ok ? 'ACCEPTED' : verdict.rejection.code
    } catch (err) {
      const failure = describeFailure(err)
      log[failure.code === 'INTERNAL' ? 'error' : 'warn']({ err }, 'failed to judge a quote')
      connection.send({ ...ack, status: 'rejected', ...failure })
      requestReceipt({ ok: false, rejection: failure })
      return failure.code
    } finally {
      quotesInFlight -= 1
    }
  }

  /** Judges a quote within its auction's trace, if any. */
  async function submitTraced(
    message: QuoteMessage,
    startedAt: number,
    { tracing, traceOf }: NonNullable<typeof traces>,
  ) {
    const { rfqId } = message
    const parent = traceOfQuote(traceOf(rfqId), message.traceparent)
    const attributes = { ...messaging, 'firmquote.rfq.id': rfqId }
    const span = parent
      ? tracing.begin('process quote', { kind: 'consumer', parent, isOwn: true, startedAt, attributes })
      : null
    span?.past('decode', startedAt)
    const code = await tracing.run(span, () => submit(message))
    span?.event('quote_ack')
    span?.set({ 'firmquote.code': code })
    span?.end()
  }

  return function handleBackerMessage(
    { data, isBinary }: { data: Buffer; isBinary: boolean },
    pay: (isFree: boolean) => boolean,
  ) {
    const startedAt = traces?.tracing.now() ?? 0
    if (isBinary) return pay(false) ? rejectMalformed(undefined, 'Messages must be JSON text frames.') : undefined
    let value: unknown
    try {
      value = parseJson(data.toString())
    } catch {
      return pay(false) ? rejectMalformed(undefined, 'The message is not JSON, or repeats a key.') : undefined
    }
    const decoded = decode(clientMessageShape, value)
    if (!pay(decoded.ok && 'rfqId' in decoded.value && isFree(decoded.value.rfqId))) return
    if (!decoded.ok) {
      const mistakes = decoded.issues.slice(0, 20).map(({ path, message }) => `${path} ${message}`.trim())
      return rejectMalformed(value, `The message is invalid: ${mistakes.join('; ')}.`)
    }
    const message = decoded.value
    switch (message.type) {
      case 'quote':
        void (traces ? submitTraced(message, startedAt, traces) : submit(message))
        return
      case 'decline': {
        const { rfqId, reason } = message
        hub.decline({ backer, rfqId, ...(reason !== undefined && { reason }) })
        return
      }
      case 'resume':
        if (!resume({ ...idOf(message), seq: message.seq })) {
          const text = 'The messages for an earlier resume are still being sent.'
          connection.send({ type: 'error', ...idOf(message), code: 'OVERLOADED', message: text })
        }
        return
      case 'witness':
        witness.witness(message).catch(fail)
        return
      case 'cosignature':
        witness.cosign(message).catch(fail)
        return
      case 'ping':
        connection.send({ type: 'pong', ...idOf(message), serverTime: clock.now() })
    }
  }
}

const messaging = {
  'messaging.system': 'firmquote',
  'messaging.destination.name': 'quote',
  'messaging.operation.type': 'process',
}

type AckHead = Pick<QuoteAckMessage, 'type' | 'id' | 'rfqId'>

function accepted(ack: AckHead, { hash, receivedAt, closesAt }: Accepted): QuoteAckMessage {
  return { ...ack, status: 'accepted', hash, receivedAt, closesAt }
}

function rejected(ack: AckHead, rejection: Rejection): QuoteAckMessage {
  const details = rejectionDetails(rejection)
  return {
    ...ack,
    status: 'rejected',
    code: rejection.code,
    message: describeRejection(rejection),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/** A message's ID, which its answer repeats; empty if absent or malformed. */
function idOf(value: unknown): { id?: string } {
  if (typeof value !== 'object' || value === null || !('id' in value)) return {}
  const { id } = value
  return typeof id === 'string' && id.length <= 64 ? { id } : {}
}
