import type { PostCheckpoint } from '../ports/postCheckpoint.ts'

const timeoutMs = 10_000
/** Maximum size of an answer in bytes. A signature line needs about 200. */
const maxBytes = 16_384

/** Sends a checkpoint to a witness over HTTP. Follows no redirects. */
export const postCheckpoint: PostCheckpoint = async (url, body, signal) => {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new TypeError(`The witness answered with more than ${maxBytes} bytes.`)
    pieces.push(piece)
  }
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  return { status: response.status, type: type.trim().toLowerCase(), body: Buffer.concat(pieces).toString() }
}
