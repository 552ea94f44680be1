import { keyIdOf, type NoteKey, parseSignature } from '@firmquote/verify'

// The requests and answers of witnesses that are HTTP services (c2sp.org/tlog-witness).

/** A witness of the operator. `url` is its submission prefix, without a trailing slash. */
export type HttpWitness = { key: NoteKey; url: string }

/** A witness's answer. `type` is the media type. */
export type WitnessAnswer = { status: number; type: string; body: string }

/** The body of `POST <url>/add-checkpoint`. */
export function addCheckpointBody({
  from,
  path,
  note,
}: {
  from: number
  path: readonly Uint8Array[]
  note: string
}): string {
  const hashes = path.map((hash) => `${Buffer.from(hash).toString('base64')}\n`)
  return `old ${from}\n${hashes.join('')}\n${note}`
}

/** The meaning of an answer. `resync` names the size of the last tree that the witness signed. */
export type WitnessVerdict =
  | { kind: 'signed'; line: string }
  | { kind: 'resync'; size: number }
  | { kind: 'failed'; reason: string }

/** Judges the answer to a checkpoint whose proof began at `from`. */
export function judgeWitnessAnswer(
  { status, type, body }: WitnessAnswer,
  { key, from }: { key: NoteKey; from: number },
): WitnessVerdict {
  if (status === 200) {
    const line = body.split('\n').find((one) => isSignedBy(one, key))
    return line === undefined
      ? { kind: 'failed', reason: 'The answer has no signature of the configured key.' }
      : { kind: 'signed', line }
  }
  if (status === 409) {
    const [, size] = /^(0|[1-9]\d{0,14})\n$/.exec(body) ?? []
    if (type === 'text/x.tlog.size' && size !== undefined && Number(size) !== from)
      return { kind: 'resync', size: Number(size) }
    return { kind: 'failed', reason: 'The witness knows another tree of this size.' }
  }
  const reasons: Record<number, string> = {
    403: "The witness does not know the log's key.",
    404: 'The witness does not know the log.',
    422: 'The witness knows another history of the log.',
  }
  return { kind: 'failed', reason: reasons[status] ?? `The witness answered with status ${status}.` }
}

function isSignedBy(line: string, key: NoteKey): boolean {
  try {
    const { name, keyId } = parseSignature(line)
    return name === key.name && Buffer.from(keyId).equals(keyIdOf(key))
  } catch {
    return false
  }
}
