import { type Address, type Hex, hashTypedData } from 'viem'
import { parseAddress, parseBytes32, parseSignature } from '../values/parseHex.ts'
import { isUnixSeconds } from '../values/unixSeconds.ts'
import { type BackerAuth, backerAuthTypedData } from './backerAuth.ts'

/** How long an authorization to read is valid, in seconds. */
export const readAuthLifetimeSeconds = 3_600
/** How far ahead of the service's clock its timestamp may be, in seconds. */
export const readAuthAheadSeconds = 60

/** What stands against an authorization to read. */
export type ReadAuthRefusal = 'missing' | 'malformed' | 'timestamp_out_of_window' | 'bad_signature' | 'not_allowed'

/** What `Authorization` carries beside the scheme: who reads, and a signature over {@link readAuthTypedData}. */
export type ReadAuthorization = {
  backer: Address
  /** Unix seconds. */
  timestamp: number
  /** 32 random bytes, chosen by the backer. */
  nonce: Hex
  signature: Hex
}

const scheme = 'Backer'
/** What is signed for, in words that a wallet shows. */
export const readAuthPurpose =
  'Read the quotes and outcomes of this backer for an hour. This is not a quote and moves no funds.'

/**
 * Everything that `signTypedData` needs to sign an authorization to read (EIP-712): the type of a session, for another
 * purpose, so that neither passes for the other. The audience is the backer socket's public URL in both.
 */
export function readAuthTypedData(auth: BackerAuth) {
  const session = backerAuthTypedData(auth)
  return { ...session, message: { ...session.message, purpose: readAuthPurpose } } as const
}

/** The EIP-712 digest of an authorization to read. */
export function hashReadAuth(auth: BackerAuth): Hex {
  return hashTypedData(readAuthTypedData(auth))
}

/** The value of the header: `Backer <address>.<timestamp>.<nonce>.<signature>`. */
export function formatReadAuthorization({ backer, timestamp, nonce, signature }: ReadAuthorization): string {
  return `${scheme} ${backer}.${timestamp}.${nonce}.${signature}`
}

/** Parses the value of the header; null for anything that is not one. */
export function parseReadAuthorization(header: string): ReadAuthorization | null {
  const match = /^backer ([^.]+)\.([1-9][0-9]{0,15})\.([^.]+)\.(0x[0-9a-f]{2,})$/i.exec(header)
  if (!match) return null
  const backer = parseAddress(match[1] ?? '')
  const timestamp = Number(match[2])
  const nonce = parseBytes32(match[3] ?? '')
  const signature = parseSignature(match[4] ?? '')
  return backer && nonce && signature && isUnixSeconds(timestamp) ? { backer, timestamp, nonce, signature } : null
}

/** Whether an authorization that was signed at `timestamp` is valid at `now`, both Unix seconds. */
export function isReadAuthCurrent(timestamp: number, now: number): boolean {
  return timestamp <= now + readAuthAheadSeconds && now <= timestamp + readAuthLifetimeSeconds
}

/** What is wrong with an authorization, for people. */
export function readAuthText(reason: ReadAuthRefusal): string {
  switch (reason) {
    case 'missing':
      return 'The header Authorization is missing: `Backer <address>.<timestamp>.<nonce>.<signature>`.'
    case 'malformed':
      return 'The header Authorization must be `Backer <address>.<timestamp>.<nonce>.<signature>`.'
    case 'timestamp_out_of_window':
      return 'The authorization is older than an hour, or from the future.'
    case 'bad_signature':
      return "The authorization's signature is not the backer's for this service."
    case 'not_allowed':
      return "The backer is not on the operator's list."
  }
}
