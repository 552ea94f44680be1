import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { PublicRfqId } from '@firmquote/core'
import type { ContractSignature } from '@firmquote/core/chain'
import { closeCodes } from '@firmquote/core/protocol'
import { authMessageShape, decode } from '@firmquote/core/wire'
import { type Address, bytesToHex } from 'viem'
import type { WebSocket } from 'ws'
import { describeFailure } from '../../app/failure.ts'
import { type AuthRefusal, createChallenge, judgeAuth, refuseAdmission } from '../../domain/challenge.ts'
import { parseJson } from '../parseJson.ts'
import { type BackerConnection, createBackerConnection } from './backerConnection.ts'
import type { BackerSocketOptions } from './backerSocketOptions.ts'
import type { ContractSessions } from './contractSessions.ts'
import { createBackerMessageHandler } from './handleBackerMessage.ts'
import { createFreeAnswers, createMessageBudget } from './messageBudget.ts'
import type { MessageQueue } from './messageQueue.ts'
import type { PendingSockets } from './pendingSockets.ts'
import type { Seats } from './seats.ts'
import { createWitnessSession } from './witnessSession.ts'

/** State shared by all sockets, and the socket's own connection. */
export type AuthenticationParts = {
  tcpSocket: Socket
  /** The networks whose limits the connection counts towards. */
  networks: readonly string[]
  /** Whether the backer requested traces. */
  traces: boolean
  /** Whether the backer requested receipts. */
  receipts: boolean
  pendingSockets: PendingSockets
  seats: Seats
  contractSessions: ContractSessions
  messageQueue: MessageQueue
}

type Refusal = Omit<AuthRefusal, 'code'> & { code: string }

type Frame = { data: Buffer; isBinary: boolean }
/**
 * Handles a message. The handler calls `pay` once it knows whether the message is free, and stops if `pay` returns
 * false.
 */
type FrameHandler = (frame: Frame, pay: (isFree: boolean) => boolean) => void

/**
 * Serves one socket. Sends the challenge, judges the only answer allowed, then passes messages to
 * {@link createBackerMessageHandler}. Handles all errors.
 */
export function authenticateBacker(socket: WebSocket, options: BackerSocketOptions & AuthenticationParts): void {
  const { tcpSocket, clock, domain, limits, audience } = options
  const { controls } = options.service
  const sessionId = randomUUID()
  const log = options.log.child({ sessionId })
  const connection = createBackerConnection(socket, { tcpSocket, clock, log, limits })
  const budget = createMessageBudget(clock, { messages: limits.messages, periodMs: limits.messagePeriodMs })

  const challenge = createChallenge({ audience, nonce: bytesToHex(options.random(32)), now: clock.now() })
  const evict = () => connection.close(closeCodes.overload, 'overload')
  const leavePending = options.pendingSockets.add({ networks: options.networks, evict })
  connection.onClosed(leavePending)
  const cancelTimeout = connection.after(limits.authTimeoutMs, () =>
    connection.close(closeCodes.authTimeout, 'auth_timeout'),
  )

  let answered = false
  connection.onClosed(() => {
    if (!answered) options.observe?.backerRefused('unanswered')
  })

  const dismiss = ({ closeCode, closeReason, code, message }: Refusal) => {
    connection.send({ type: 'auth_failed', code, message, serverTime: clock.now() })
    connection.close(closeCode, closeReason)
  }
  const reject = (refused: Refusal) => {
    const { code } = refused
    log.info({ code }, 'refused a backer')
    options.observe?.backerRefused(code)
    dismiss(refused)
  }

  let handle: FrameHandler = (frame) => {
    // Each challenge is valid for one attempt, whatever its verdict.
    handle = () => connection.close(closeCodes.malformed, 'not_authenticated')
    cancelTimeout()
    answered = true
    const answer = decodeAnswer(frame, limits.authBytes)
    if (!answer.ok) return reject(refusal(closeCodes.malformed, 'malformed', answer.message))
    const attempt = {
      challenge,
      answer: answer.value,
      chainId: domain.chainId,
      quoteMarket: domain.quoteMarket,
      now: clock.now(),
      ...(options.allowList && { allowList: options.allowList }),
      controls: controls.current(),
    }
    const askContract = async (signature: ContractSignature) =>
      (await options.service.readSignatures([signature]))[0] ?? null
    judgeAuth(attempt, options.signatures.recoverSigner, askContract)
      .then(async (verdict) => {
        if (!connection.isOpen()) return
        if (!verdict.ok) return reject(verdict)
        const release = await options.service.presence.enter(verdict.address)
        if (!release) {
          const limit = options.service.config.limits.socketsPerBacker
          return reject(
            refusal(closeCodes.tooMany, 'too_many_connections', `This address already has ${limit} connections.`),
          )
        }
        connection.onClosed(release)
        if (!connection.isOpen()) return
        leavePending()
        const { address, contract } = verdict
        let freeSeat = () => {}
        const checkAdmission = () => {
          if (!connection.isOpen()) return
          const { allowList } = options
          const refused = refuseAdmission(address, { controls: controls.current(), now: clock.now(), allowList })
          if (!refused) return
          log.info({ code: refused.code }, 'dismissed a backer')
          dismiss(refused)
          // The backer may delay the end of the closing handshake.
          freeSeat()
        }
        connection.onClosed(controls.onChange(checkAdmission))
        // The operator may have decided since the verdict.
        checkAdmission()
        const [statusSeq, isAnswered] = await Promise.all([
          options.service.statuses.newest(address),
          options.service.hub.readAnswered(address),
        ])
        if (!connection.isOpen()) return
        if (contract) {
          const withdrawn = () => connection.close(closeCodes.authFailed, 'signature_withdrawn')
          connection.onClosed(options.contractSessions.watch(contract, withdrawn))
        }
        const seat = options.seats.claim({ maker: address, networks: options.networks, evict }, () => {
          if (!connection.isOpen()) return
          connection.onClosed(options.protectConnection(options.tcpSocket))
          handle = startSession(
            connection,
            { ...options, log },
            { address, sessionId, statusSeq, isAnswered, traces: options.traces, receipts: options.receipts },
          )
        })
        freeSeat = seat.release
        connection.onClosed(freeSeat)
      })
      .catch((err: unknown) => {
        fail(err)
        connection.close(internalError, 'internal')
      })
  }

  function fail(err: unknown): void {
    const { code, message } = describeFailure(err)
    log.error({ err }, 'failed to serve a backer')
    connection.send({ type: 'error', code, message })
  }

  socket.on('message', (data, isBinary) => {
    if (!connection.isOpen()) return
    const charge = budget.charge()
    const refuse = () => connection.close(closeCodes.tooMany, 'too_many_messages')
    if (!charge) return refuse()
    const pay = (isFree: boolean) => {
      const isPaid = budget.settle(charge, isFree)
      if (!isPaid) refuse()
      return isPaid
    }
    options.messageQueue.add(() => {
      if (!connection.isOpen()) return
      try {
        handle({ data: Buffer.isBuffer(data) ? data : Buffer.alloc(0), isBinary }, pay)
      } catch (err) {
        fail(err)
      }
    })
  })

  connection.send({
    type: 'auth_challenge',
    challenge: challenge.text,
    chainId: domain.chainId,
    quoteMarket: domain.quoteMarket,
    serverTime: clock.now(),
    expiresAt: challenge.expiresAt,
  })
}

function refusal(closeCode: number, code: string, message: string): Refusal {
  return { closeCode, closeReason: code, code, message }
}

/** The RFC 6455 close code for server errors. */
const internalError = 1011

/** Starts an authenticated backer's session and returns its message handler. */
function startSession(
  connection: BackerConnection,
  { service, clock, limits, log, tracing }: BackerSocketOptions,
  {
    address,
    sessionId,
    statusSeq,
    isAnswered,
    traces,
    receipts,
  }: {
    address: Address
    sessionId: string
    statusSeq: number
    isAnswered: (rfqId: PublicRfqId) => boolean
    traces: boolean
    receipts: boolean
  },
): FrameHandler {
  const { openRfqs, leave, wasSent, traceOf } = service.hub.join({ address, send: connection.sendFrame, traces })
  connection.onClosed(leave)
  connection.after(limits.sessionMs, () => connection.close(closeCodes.restart, 'session_expired'))
  const expiresAt = clock.now() + limits.sessionMs
  connection.send({
    type: 'authenticated',
    address,
    sessionId,
    expiresAt,
    openRfqs: openRfqs.filter(({ rfqId }) => !isAnswered(rfqId)),
    statusSeq,
    ...(traces && { traces }),
  })
  const reader = service.statuses.join({ address, send: connection.sendFrame, taken: connection.taken }, statusSeq)
  connection.onClosed(reader.leave)
  log.info({ backer: address }, 'authenticated a backer')
  return createBackerMessageHandler(connection, {
    hub: service.hub,
    clock,
    limits,
    log,
    backer: address,
    isFree: createFreeAnswers(wasSent),
    resume: reader.resume,
    ...(receipts && service.hub.receipts && { receipts: service.hub.receipts }),
    witness: createWitnessSession(connection, { backer: address, witnesses: service.proofs?.witnesses ?? null }),
    ...(tracing && { traces: { tracing, traceOf } }),
  })
}

function decodeAnswer({ data, isBinary }: Frame, authBytes: number) {
  if (isBinary) return { ok: false, message: 'Messages must be JSON text frames.' } as const
  if (data.length > authBytes)
    return { ok: false, message: `An auth message must not exceed ${authBytes} bytes.` } as const
  let value: unknown
  try {
    value = parseJson(data.toString())
  } catch {
    return { ok: false, message: 'The message is not JSON, or repeats a key.' } as const
  }
  const decoded = decode(authMessageShape, value)
  if (decoded.ok) return decoded
  const mistakes = decoded.issues.map(({ path, message }) => `${path} ${message}`.trim())
  return { ok: false, message: `The first message must answer the challenge: ${mistakes.join('; ')}.` } as const
}
