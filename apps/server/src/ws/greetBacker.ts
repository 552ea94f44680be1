import { randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { closeCodes } from '@firmquote/core'
import { authMessageShape, decode } from '@firmquote/core/wire'
import { type Address, bytesToHex } from 'viem'
import type { WebSocket } from 'ws'
import { describeFailure } from '../app/failure.ts'
import { createChallenge, judgeAuth } from '../domain/challenge.ts'
import { createMessageReader } from './answerBacker.ts'
import type { BackerDoorOptions } from './backerDoorOptions.ts'
import { type BackerLine, createBackerLine } from './backerLine.ts'
import type { Inbox } from './inbox.ts'
import { createMessageBudget } from './messageBudget.ts'
import type { Seats } from './seats.ts'

type Frame = { data: Buffer; isBinary: boolean }
type FrameHandler = (frame: Frame) => void

/**
 * Serves one socket: it is challenged, has one attempt to answer, and is then handed to {@link createMessageReader}.
 * No message and no failure gets past here.
 */
export function greetBacker(
  socket: WebSocket,
  options: BackerDoorOptions & { connection: Socket; seats: Seats; inbox: Inbox },
): void {
  const { connection, clock, domain, limits, audience } = options
  const sessionId = randomUUID()
  const log = options.log.child({ sessionId })
  const line = createBackerLine(socket, { connection, clock, log, limits })
  const mayPass = createMessageBudget(clock, { messages: limits.messages, periodMs: limits.messagePeriodMs })

  const challenge = createChallenge({ audience, nonce: bytesToHex(randomBytes(32)), now: clock.now() })
  const cancelTimeout = line.after(limits.authTimeoutMs, () => line.close(closeCodes.authTimeout, 'auth_timeout'))

  const refuse = (closeCode: number, code: string, message: string) => {
    log.info({ code }, 'a backer was refused')
    line.send({ type: 'auth_failed', code, message, serverTime: clock.now() })
    line.close(closeCode, code)
  }

  let handle: FrameHandler = (frame) => {
    // The challenge is used up by the attempt, whatever comes of it.
    handle = () => line.close(closeCodes.malformed, 'not_authenticated')
    cancelTimeout()
    const answer = readAnswer(frame, limits.authBytes)
    if (!answer.ok) return refuse(closeCodes.malformed, 'malformed', answer.message)
    const attempt = {
      challenge,
      answer: answer.value,
      chainId: domain.chainId,
      quoteMarket: domain.quoteMarket,
      now: clock.now(),
      ...(options.allowList && { allowList: options.allowList }),
    }
    judgeAuth(attempt, options.signatures.recoverSigner)
      .then((verdict) => {
        if (!line.isOpen()) return
        if (!verdict.ok) return refuse(verdict.closeCode, verdict.code, verdict.message)
        const leave = options.seats.take(verdict.address)
        if (!leave) {
          const limit = options.service.config.limits.socketsPerBacker
          return refuse(closeCodes.tooMany, 'too_many_connections', `This address has ${limit} connections already.`)
        }
        line.onGone(leave)
        handle = welcome(line, { ...options, log }, { address: verdict.address, sessionId })
      })
      .catch((err: unknown) => {
        fail(err)
        line.close(internalError, 'internal')
      })
  }

  function fail(err: unknown): void {
    const { code, message } = describeFailure(err)
    log.error({ err }, 'a backer could not be served')
    line.send({ type: 'error', code, message })
  }

  socket.on('message', (data, isBinary) => {
    if (!line.isOpen()) return
    if (!mayPass()) return line.close(closeCodes.tooMany, 'too_many_messages')
    options.inbox.add(() => {
      if (!line.isOpen()) return
      try {
        handle({ data: Buffer.isBuffer(data) ? data : Buffer.alloc(0), isBinary })
      } catch (err) {
        fail(err)
      }
    })
  })

  line.send({
    type: 'auth_challenge',
    challenge: challenge.text,
    chainId: domain.chainId,
    quoteMarket: domain.quoteMarket,
    serverTime: clock.now(),
    expiresAt: challenge.expiresAt,
  })
}

/** The WebSocket protocol's own code for a failure of the server (RFC 6455). */
const internalError = 1011

/** Lets a backer in. The answer handles its messages from now on. */
function welcome(
  line: BackerLine,
  { service, clock, limits, log }: BackerDoorOptions,
  { address, sessionId }: { address: Address; sessionId: string },
): FrameHandler {
  const { openRfqs, leave } = service.hub.join({ address, send: line.sendFrame })
  line.onGone(leave)
  line.after(limits.sessionMs, () => line.close(closeCodes.restart, 'session_expired'))
  line.send({ type: 'authenticated', address, sessionId, expiresAt: clock.now() + limits.sessionMs, openRfqs })
  log.info({ backer: address }, 'a backer is in')
  return createMessageReader(line, { hub: service.hub, clock, limits, log, backer: address })
}

function readAnswer({ data, isBinary }: Frame, authBytes: number) {
  if (isBinary) return { ok: false, message: 'Messages are JSON text frames.' } as const
  if (data.length > authBytes) return { ok: false, message: `An auth message has at most ${authBytes} bytes.` } as const
  let value: unknown
  try {
    value = JSON.parse(data.toString())
  } catch {
    return { ok: false, message: 'The message is not JSON.' } as const
  }
  const decoded = decode(authMessageShape, value)
  if (decoded.ok) return decoded
  const mistakes = decoded.issues.map(({ path, message }) => `${path} ${message}`.trim())
  return { ok: false, message: `Answer the challenge first: ${mistakes.join('; ')}.` } as const
}
