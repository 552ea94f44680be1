import { type Address, type Hex, hashTypedData } from 'viem'
import { parseAddress, parseBytes32, parseSignature } from '../values/parseHex.ts'
import { isUnixSeconds } from '../values/unixSeconds.ts'
import { type BackerAuth, backerAuthTypedData } from './backerAuth.ts'

/** How long a read authorization is valid, in seconds. */
export const readAuthLifetimeSeconds = 3_600
/** How far a read authorization's timestamp may be ahead of the service's clock, in seconds. */
export const readAuthAheadSeconds = 60

/** Why a read authorization is rejected. */
export type ReadAuthRefusal = 'missing' | 'malformed' | 'timestamp_out_of_window' | 'bad_signature' | 'not_allowed'

/** The `Authorization` header's credentials: the backer and a signature over {@link readAuthTypedData}. */
export type ReadAuthorization = {
  backer: Address
  /** Unix seconds. */
  timestamp: number
  /** 32 random bytes, chosen by the backer. */
  nonce: Hex
  signature: Hex
}

const scheme = 'Backer'
/** The signature's purpose, which wallets display. */
export const readAuthPurpose =
  'Read the quotes and outcomes of this backer for an hour. This is not a quote and moves no funds.'

/**
 * `signTypedData` arguments for a read authorization (EIP-712). A read authorization has the same type as a login but a
 * different purpose, so neither signature is valid as the other. The audience of both messages is the backer socket's
 * public URL.
 */
export function readAuthTypedData(auth: BackerAuth) {
  const session = backerAuthTypedData(auth)
  return { ...session, message: { ...session.message, purpose: readAuthPurpose } } as const
}

/** The EIP-712 digest of a read authorization. */
export function hashReadAuth(auth: BackerAuth): Hex {
  return hashTypedData(readAuthTypedData(auth))
}

/** Formats the header value: `Backer <address>.<timestamp>.<nonce>.<signature>`. */
export function formatReadAuthorization({ backer, timestamp, nonce, signature }: ReadAuthorization): string {
  return `${scheme} ${backer}.${timestamp}.${nonce}.${signature}`
}

/** Parses the header's value. Returns null if the header is malformed. */
export function parseReadAuthorization(header: string): ReadAuthorization | null {
  const match = /^backer ([^.]+)\.([1-9][0-9]{0,15})\.([^.]+)\.(0x[0-9a-f]{2,})$/i.exec(header)
  if (!match) return null
  const backer = parseAddress(match[1] ?? '')
  const timestamp = Number(match[2])
  const nonce = parseBytes32(match[3] ?? '')
  const signature = parseSignature(match[4] ?? '')
  return backer && nonce && signature && isUnixSeconds(timestamp) ? { backer, timestamp, nonce, signature } : null
}

/** Returns whether an authorization signed at `timestamp` is valid at `now`. Both are Unix seconds. */
export function isReadAuthCurrent(timestamp: number, now: number): boolean {
  return timestamp <= now + readAuthAheadSeconds && now <= timestamp + readAuthLifetimeSeconds
}

/** Returns an English description of why an authorization is rejected. */
export function readAuthText(reason: ReadAuthRefusal): string {
  switch (reason) {
    case 'missing':
      return 'The Authorization header is missing: `Backer <address>.<timestamp>.<nonce>.<signature>`.'
    case 'malformed':
      return 'The Authorization header must be `Backer <address>.<timestamp>.<nonce>.<signature>`.'
    case 'timestamp_out_of_window':
      return 'The authorization is older than an hour, or its timestamp is in the future.'
    case 'bad_signature':
      return 'The authorization is not signed by the backer for this service.'
    case 'not_allowed':
      return "The backer is not on the operator's list."
  }
}
