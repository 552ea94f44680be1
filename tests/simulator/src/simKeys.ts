import { createPrivateKey, createPublicKey, KeyObject, sign, verify, type webcrypto } from 'node:crypto'
import { createHashSigner } from '@firmquote/core/verifier'
import { keyTypes, type NoteKey } from '@firmquote/verify'
import { type Address, hexToBytes } from 'viem'
import type { ProofKeys } from '../../../apps/server/src/ports/proofKeys.ts'

/** The name of the simulated log. */
export const logOrigin = 'simulated.example/log/1'

/** The bytes before an Ed25519 seed in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const privateKeyOf = (byte: number) =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefix, Buffer.alloc(32, byte)]), format: 'der', type: 'pkcs8' })

const publicKeyOf = (key: KeyObject) => Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')

const [logSecret, witnessSecret] = [privateKeyOf(1), privateKeyOf(2)]

/** The log's key. */
export const logKey: NoteKey = { name: logOrigin, type: keyTypes.log, publicKey: publicKeyOf(logSecret) }

/** The key of the only witness. */
export const witnessKey: NoteKey = { name: 'witness', type: keyTypes.witness, publicKey: publicKeyOf(witnessSecret) }

/** Signs as the witness. */
export const signAsWitness = (message: Uint8Array): Uint8Array => sign(null, message, witnessSecret)

let signer: ReturnType<typeof createHashSigner> | null = null

/** The keys of the log and of its receipts. They are real, and the same in every history. */
export async function loadSimKeys(): Promise<ProofKeys> {
  signer ??= createHashSigner(`0x${'03'.repeat(32)}`)
  const { address, signHash } = await signer
  return {
    publicKey: logKey.publicKey,
    signer: address.toLowerCase() as Address,
    signText: (text) => sign(null, Buffer.from(text), logSecret),
    signDigest: (digest) => signHash(hexToBytes(digest)),
  }
}

/**
 * Makes WebCrypto verify Ed25519 signatures at once. Otherwise its threads decide at which virtual time an answer arrives.
 *
 * @returns a function that restores WebCrypto.
 */
export function verifyAtOnce(): () => void {
  const { subtle } = globalThis.crypto
  // Clients verify the same checkpoints again and again.
  const known = new Map<string, boolean>()
  const own: webcrypto.SubtleCrypto['verify'] = async (_, key, signature, data) => {
    const publicKey = KeyObject.from(key)
    const bytes = [publicKey.export({ type: 'spki', format: 'der' }), bytesOf(signature), bytesOf(data)]
    const id = Buffer.concat(bytes).toString('latin1')
    const isValid = known.get(id) ?? verify(null, bytesOf(data), publicKey, bytesOf(signature))
    known.set(id, isValid)
    return isValid
  }
  const importKey = subtle.importKey.bind(subtle) as (...given: unknown[]) => Promise<webcrypto.CryptoKey>
  const methods = {
    verify: own,
    // Only an extractable key can be used outside WebCrypto.
    importKey: (format: string, key: Uint8Array, algorithm: string, _: boolean, usages: readonly string[]) =>
      importKey(format, key, algorithm, true, usages),
  }
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(subtle, name, { value, configurable: true })
  return () => {
    for (const name of Object.keys(methods)) Reflect.deleteProperty(subtle, name)
  }
}

function bytesOf(source: webcrypto.BufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}
