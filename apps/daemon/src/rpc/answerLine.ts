import { RpcError, rpcCodes } from './rpcError.ts'
import type { RpcLog } from './rpcLog.ts'
import { type RpcCall, type RpcId, readRequest } from './rpcRequest.ts'

/** What can be called, by name. `params` is an object, an array, or undefined; the result is plain JSON. */
export type RpcMethods = Readonly<Record<string, (params: unknown) => Promise<unknown>>>

/** Answers a line. Null when there is nothing to answer: it was blank, or held notifications only. Never rejects. */
export type AnswerLine = (line: Uint8Array) => Promise<string | null>

/** A line of 1 MiB holds thousands of calls; nobody needs so many at once. */
export const mostInBatch = 50

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Creates what answers lines by JSON-RPC 2.0: one request or a batch each.
 *
 * What a method throws reaches the caller when it is an {@link RpcError}; anything else goes to the log, and the caller
 * hears only that something went wrong.
 */
export function createAnswerLine({ methods, log }: { methods: RpcMethods; log: RpcLog }): AnswerLine {
  // A map, so that names like `constructor` find nothing.
  const byName = new Map(Object.entries(methods))

  return async (line) => {
    let message: unknown
    try {
      const text = utf8.decode(line)
      if (text.trim() === '') return null
      message = JSON.parse(text)
    } catch {
      return encodeFailure(null, new RpcError(rpcCodes.parseError, 'The line is not JSON in UTF-8.'))
    }
    if (!Array.isArray(message)) return answer(message)
    if (message.length === 0 || message.length > mostInBatch) {
      const error = new RpcError(rpcCodes.invalidRequest, `A batch holds 1 to ${mostInBatch} requests.`)
      return encodeFailure(null, error)
    }
    const answers = (await Promise.all(message.map(answer))).filter((one) => one !== null)
    return answers.length === 0 ? null : `[${answers.join(',')}]`
  }

  async function answer(message: unknown): Promise<string | null> {
    const request = readRequest(message)
    if (!request.ok) return encodeFailure(request.id, request.error)
    const { call } = request
    let text: string
    try {
      text = await encodeOutcome(call)
    } catch (error) {
      text = encodeFailure(call.id ?? null, hidden(call, error))
    }
    return call.id === undefined ? null : text
  }

  async function encodeOutcome(call: RpcCall): Promise<string> {
    const id = call.id ?? null
    try {
      const result = (await run(call)) ?? null
      return JSON.stringify({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (error instanceof RpcError) return encodeFailure(id, error)
      throw error
    }
  }

  async function run({ method, params }: RpcCall): Promise<unknown> {
    const handler = byName.get(method)
    if (handler === undefined) {
      const data = { methods: [...byName.keys()] }
      throw new RpcError(rpcCodes.methodNotFound, 'There is no such method.', { data })
    }
    log.debug({ method }, 'called over the socket')
    return handler(params)
  }

  function hidden({ method }: RpcCall, err: unknown): RpcError {
    log.error({ err, method }, 'a method of the socket failed')
    return new RpcError(rpcCodes.internalError, 'Something went wrong inside the daemon; its log tells what.')
  }
}

/** Writes an error as a line's answer; `id` is null where none could be read. */
export function encodeFailure(id: RpcId, { rpcCode, shortMessage, data }: RpcError): string {
  // JSON leaves out what is undefined.
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: rpcCode, message: shortMessage, data } })
}
