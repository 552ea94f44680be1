import { ConnectionError, InvalidResponseError } from '../errors.ts'
import type { CallGuard } from './callGuard.ts'
import { facts } from './responseFacts.ts'

/** Maximum size of a response in bytes, far above what the service sends. */
export const maxAnswerBytes = 16 * 1024 * 1024

/**
 * Reads a response's body as text.
 *
 * @throws {InvalidResponseError} if it is longer than {@link maxAnswerBytes}. The rest is not read.
 * @throws {ConnectionError} if the connection breaks.
 * @throws {TimeoutError} if the call times out.
 * @throws {AbortedError} if the caller aborts.
 */
export async function readText(response: Response, guard: CallGuard): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const piece = await readPiece(response, reader, guard)
    if (piece === undefined) return text + decoder.decode()
    bytes += piece.length
    if (bytes > maxAnswerBytes) {
      void reader?.cancel().catch(() => {})
      throw new InvalidResponseError(`The response is longer than ${maxAnswerBytes} bytes.`, facts(response))
    }
    text += decoder.decode(piece, { stream: true })
  }
}

/** Reads the next piece of a body, or undefined at its end. @throws the errors of {@link readText} about connections. */
export async function readPiece(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  guard: CallGuard,
): Promise<Uint8Array | undefined> {
  try {
    return (await reader?.read())?.value
  } catch (cause) {
    throw (
      guard.failure('maybe') ??
      new ConnectionError('The connection broke while the response was being read.', {
        ...facts(response),
        sent: 'maybe',
        cause,
      })
    )
  }
}
