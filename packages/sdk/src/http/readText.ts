import { ConnectionError, InvalidResponseError } from '../errors.ts'
import type { CallGuard } from './callGuard.ts'
import { facts } from './responseFacts.ts'

/** The most bytes of an answer that are read: far above what the service sends. */
export const maxAnswerBytes = 16 * 1024 * 1024

/**
 * Reads the body of an answer as text.
 *
 * @throws {InvalidResponseError} as soon as it is longer than {@link maxAnswerBytes}; the rest is not read.
 * @throws {ConnectionError} when the line breaks, {TimeoutError} when the call's time is over, {AbortedError} when the caller ends it.
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
      throw new InvalidResponseError(`The answer is longer than ${maxAnswerBytes} bytes.`, facts(response))
    }
    text += decoder.decode(piece, { stream: true })
  }
}

async function readPiece(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  guard: CallGuard,
): Promise<Uint8Array | undefined> {
  try {
    return (await reader?.read())?.value
  } catch (cause) {
    throw (
      guard.failure('maybe') ??
      new ConnectionError('The line broke while the answer came in.', { ...facts(response), sent: 'maybe', cause })
    )
  }
}
