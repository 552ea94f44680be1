import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { createHashSigner } from '@firmquote/core/verifier'
import { readPrivateFile } from '@firmquote/node-runtime/readPrivateFile'
import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem'
import { ConfigurationError } from '../ports/errors.ts'
import type { ProofKeys } from '../ports/proofKeys.ts'

/** The bytes before an Ed25519 seed in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Creates a key file that only this user can read, unless it exists: JSON with an Ed25519 seed (`log`) and a secp256k1 key
 * (`receipts`), each 32 random bytes. A crash leaves the whole file or none.
 *
 * @throws {ConfigurationError} if the file cannot be written.
 */
export function createProofKeyFile(path: string): void {
  if (existsSync(path)) return
  const [log, receipts] = [randomBytes(32), randomBytes(32)].map((key) => bytesToHex(key))
  const partial = `${path}.partial-${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(partial, 'wx', 0o600)
    try {
      writeSync(file, `${JSON.stringify({ log, receipts })}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(partial, path)
    const folder = openSync(dirname(path), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (cause) {
    throw new ConfigurationError(
      `The key file ${path} cannot be created; make its folder writable, change PROOF_KEY_FILE, or set PROOFS=off.`,
      { cause },
    )
  }
}

/**
 * Loads the keys of a log.
 *
 * @throws {ConfigurationError} if the file is missing, malformed or open to other users. The message shows no key.
 */
export async function loadProofKeys(path: string): Promise<ProofKeys> {
  const { log, receipts } = parse(await readPrivateFile(path, 'key file'), path)
  const { address, signHash } = await createHashSigner(bytesToHex(receipts))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, log]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url'),
    signer: address.toLowerCase() as Address,
    signText: (text) => sign(null, Buffer.from(text), privateKey),
    signDigest: (digest) => signHash(hexToBytes(digest)),
  }
}

function parse(text: string, path: string): { log: Uint8Array; receipts: Uint8Array } {
  let given: Partial<Record<'log' | 'receipts', unknown>> = {}
  try {
    given = JSON.parse(text) ?? {}
  } catch {}
  const keyOf = (name: 'log' | 'receipts') => {
    const value = given[name]
    if (typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)) return hexToBytes(value as Hex)
    // The text is secret, so no error repeats it.
    throw new ConfigurationError(`The key file ${path} has no key \`${name}\` of 32 bytes; restore the file.`)
  }
  return { log: keyOf('log'), receipts: keyOf('receipts') }
}
