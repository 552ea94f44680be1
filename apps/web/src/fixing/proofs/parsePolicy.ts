import { keyTypes, type NoteKey, ProofError, parseKey, type VerifyPolicy } from '@firmquote/verify'

/** Why a policy's keys cannot be used. `line` counts from 1. */
export type PolicyProblem = {
  /** The line is no key, or the key of a second log. */
  problem: 'malformed' | 'secondLog'
  line: number
}

/** Parses a policy: one public key per line, of one log or of witnesses. Pure. */
export function parsePolicy(text: string, quorum: number): VerifyPolicy | PolicyProblem {
  const witnesses: NoteKey[] = []
  let log: NoteKey | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const key = tryParse(line.trim())
    if (!key) return { problem: 'malformed', line: index + 1 }
    if (key.type === keyTypes.witness) witnesses.push(key)
    else if (log) return { problem: 'secondLog', line: index + 1 }
    else log = key
  }
  return { witnesses, quorum, ...(log && { log }) }
}

function tryParse(text: string): NoteKey | null {
  try {
    return parseKey(text)
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}
