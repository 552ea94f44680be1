import { decode, type Shape } from '@firmquote/core/wire'
import {
  createJSONRPCErrorResponse,
  JSONRPCErrorCode,
  JSONRPCErrorException,
  type JSONRPCID,
  type JSONRPCParams,
  JSONRPCServer,
} from 'json-rpc-2.0'
import * as z from 'zod/mini'

/** Callable methods by name. `params` is an object, an array or undefined. The result is plain JSON. */
export type RpcMethods = Readonly<Record<string, (params: unknown) => Promise<unknown>>>

/** The socket's log, which contains method names and failures, but never parameters or results. */
export type RpcLog = Record<'debug' | 'info' | 'error', (facts: Record<string, unknown>, message: string) => void>

/**
 * Answers a message. Resolves to null if no response is due: for a blank line, or if the message contains only
 * notifications. Never rejects.
 */
export type AnswerMessage = (message: Uint8Array) => Promise<string | null>

/** Options of {@link createAnswerMessage}. */
export type AnswerMessageOptions = {
  methods: RpcMethods
  log: RpcLog
  /** Name of the program for error messages, such as `server`. */
  program: string
}

/** Maximum batch size. A line of 1 MiB could contain thousands of calls, which would all run concurrently. */
const maxBatchSize = 50

type Request = { jsonrpc: '2.0'; id?: JSONRPCID | undefined; method: string; params?: JSONRPCParams | undefined }

/** An integer beyond 2^53 would be rounded, so the caller could not match the response to the request. */
const idShape = z.union([
  z.string(),
  z.null(),
  z.number().check(z.refine((id) => !Number.isInteger(id) || Number.isSafeInteger(id), 'must be a safe integer')),
])

/** Extra members are rejected, so that misspelled ones are noticed. */
const requestShape: Shape<Request> = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(idShape),
  method: z.string(),
  params: z.optional(
    z.custom<JSONRPCParams>((value) => typeof value === 'object' && value !== null, 'must be an object or an array'),
  ),
})

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Creates a JSON-RPC 2.0 handler for single requests and batches.
 *
 * A `JSONRPCErrorException` thrown by a method is sent to the caller. Any other error is logged, and the caller
 * receives an internal error without details.
 */
export function createAnswerMessage({ methods, log, program }: AnswerMessageOptions): AnswerMessage {
  const server = new JSONRPCServer({ errorListener: () => {} })
  for (const [name, method] of Object.entries(methods)) server.addMethod(name, method)
  server.handleMethodNotFound = () => {
    const data = { methods: Object.keys(methods) }
    throw new JSONRPCErrorException('No such method.', JSONRPCErrorCode.MethodNotFound, data)
  }
  server.mapErrorToJSONRPCErrorResponse = (id, error) => {
    if (!(error instanceof JSONRPCErrorException)) throw error
    return createJSONRPCErrorResponse(id, error.code, error.message, error.data)
  }

  return async (bytes) => {
    let message: unknown
    try {
      const text = utf8.decode(bytes)
      if (text.trim() === '') return null
      message = JSON.parse(text)
    } catch {
      return encodeFailure(null, JSONRPCErrorCode.ParseError, 'The line is not valid JSON in UTF-8.')
    }
    if (!Array.isArray(message)) return answer(message)
    if (message.length === 0 || message.length > maxBatchSize) {
      return encodeFailure(null, JSONRPCErrorCode.InvalidRequest, `A batch must contain 1 to ${maxBatchSize} requests.`)
    }
    // Answer each request of a batch separately, because the library does not return an array for a batch of one.
    const answers = (await Promise.all(message.map(answer))).filter((one) => one !== null)
    return answers.length === 0 ? null : `[${answers.join(',')}]`
  }

  async function answer(message: unknown): Promise<string | null> {
    const decoded = decode(requestShape, message)
    if (!decoded.ok) {
      const words = decoded.issues.map(({ path, message }) => `${path || 'it'} ${message}`).join('; ')
      return encodeFailure(idOf(message), JSONRPCErrorCode.InvalidRequest, `Invalid request: ${words}.`)
    }
    const { id = null, method } = decoded.value
    const isNotification = decoded.value.id === undefined
    if (server.hasMethod(method)) log.debug({ method }, 'called over the socket')
    try {
      // Give a notification an id, so that a failure is returned here and logged.
      const text = JSON.stringify(await server.receive({ ...decoded.value, id }))
      return isNotification ? null : text
    } catch (err) {
      log.error({ err, method }, 'socket method failed')
      const words = `Unexpected error in the ${program}; see the ${program}'s log.`
      return isNotification ? null : encodeFailure(id, JSONRPCErrorCode.InternalError, words)
    }
  }
}

/** Encodes an error response. `id` is null if no id could be decoded. */
export function encodeFailure(id: JSONRPCID, code: number, message: string, data?: unknown): string {
  return JSON.stringify(createJSONRPCErrorResponse(id, code, message, data))
}

/** Returns an invalid request's id if the id itself is valid, so that the caller can match the error to it. */
function idOf(message: unknown): JSONRPCID {
  const decoded = decode(idShape, (message as { id?: unknown } | null)?.id)
  return decoded.ok ? decoded.value : null
}
