import { pbkdf2, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { parseAddress } from '@firmquote/core/utils'
import * as Keystore from 'ox/Keystore'
import { type Address, bytesToHex, type Hex, isHex, size } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import * as z from 'zod/mini'
import { ConfigurationError } from '../errors.ts'

const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`)))
const text = z.string().check(z.regex(/^(?:[0-9a-fA-F]{2}){0,256}$/))
// The limits are far above the values in real keystores, but low enough that a hostile file cannot keep the machine
// busy for hours.
const count = (most: number) => z.int().check(z.gte(1), z.lte(most))

const cryptoFields = {
  cipher: z.literal('aes-128-ctr'),
  ciphertext: hex(32),
  cipherparams: z.object({ iv: hex(16) }),
  mac: hex(32),
}

const keystoreShape = z.object({
  version: z.literal(3),
  crypto: z.discriminatedUnion('kdf', [
    z.object({
      ...cryptoFields,
      kdf: z.literal('scrypt'),
      kdfparams: z.object({ dklen: z.literal(32), n: count(2 ** 22), r: count(64), p: count(64), salt: text }),
    }),
    z.object({
      ...cryptoFields,
      kdf: z.literal('pbkdf2'),
      kdfparams: z.object({
        dklen: z.literal(32),
        c: count(10_000_000),
        prf: z.literal('hmac-sha256'),
        salt: text,
      }),
    }),
  ]),
})

type KeystoreCrypto = z.output<typeof keystoreShape>['crypto']
type ScryptParams = Extract<KeystoreCrypto, { kdf: 'scrypt' }>['kdfparams']

/** Scrypt parameters for new keystores, which match geth's. Key derivation takes about one second and uses 256 MiB. */
const standardScrypt = { n: 262_144, r: 8, p: 1 }

/**
 * Decrypts a keystore in Ethereum's V3 format (scrypt or PBKDF2).
 *
 * @param file name of the file, for error messages.
 * @returns the private key, 32 bytes in hex.
 * @throws {ConfigurationError} if the content is not a keystore, or the password is wrong. The message contains
 * neither.
 */
export async function openKeystore(content: string, password: string, file: string): Promise<Hex> {
  const { crypto, address } = decodeKeystore(content, file)
  const key = await deriveKey(crypto, password)
  let privateKey: Hex
  try {
    privateKey = Keystore.decrypt({ version: 3, id: '', crypto } as Keystore.Keystore, key)
  } catch {
    throw new ConfigurationError(`The keystore ${file} cannot be decrypted with this password.`)
  }
  if (size(privateKey) !== 32 || (address !== undefined && !isOf(address, privateKey))) {
    throw new ConfigurationError(`The keystore ${file} is corrupt: its key does not match its address.`)
  }
  return privateKey
}

/**
 * Returns the address in a keystore, or null if there is none. It is unverified until the keystore is decrypted.
 *
 * @throws {ConfigurationError} if the content is not a keystore.
 */
export function readKeystoreAddress(content: string, file: string): Address | null {
  const { address } = decodeKeystore(content, file)
  return parseAddress(`0x${address?.replace(/^0x/, '').toLowerCase()}`)
}

/** Encrypts a private key as a keystore in Ethereum's V3 format, which geth, cast and other tools read. */
export async function sealKeystore(
  privateKey: Hex,
  password: string,
  { n, r, p }: { n: number; r: number; p: number } = standardScrypt,
): Promise<string> {
  const kdfparams = { dklen: 32 as const, n, r, p, salt: randomBytes(32).toString('hex') }
  const key = await deriveScrypt(kdfparams, password)
  const sealed = Keystore.encrypt(privateKey, key, { kdf: 'scrypt', kdfparams, iv: Uint8Array.from(randomBytes(16)) })
  const address = privateKeyToAddress(privateKey).slice(2).toLowerCase()
  return `${JSON.stringify({ address, ...sealed }, null, 2)}\n`
}

function decodeKeystore(content: string, file: string): { crypto: KeystoreCrypto; address: string | undefined } {
  try {
    const json: unknown = JSON.parse(content)
    const { crypto } = z.parse(keystoreShape, withCrypto(json))
    const address = (json as { address?: unknown }).address
    return { crypto, address: typeof address === 'string' ? address : undefined }
  } catch {
    // Omit the parse error, because it may quote the file, which may contain a bare key.
    throw new ConfigurationError(
      `${file} is not a keystore in Ethereum's V3 format; \`firmquote-daemon init\` creates one, as do geth and cast.`,
    )
  }
}

/** Accepts the key `Crypto`, which some old programs write instead of `crypto`. */
function withCrypto(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || 'crypto' in json || !('Crypto' in json)) return json
  return { ...json, crypto: json.Crypto }
}

function isOf(address: string, privateKey: Hex): boolean {
  const given = address.toLowerCase().replace(/^0x/, '')
  return isHex(`0x${given}`) && privateKeyToAddress(privateKey).slice(2).toLowerCase() === given
}

async function deriveKey(crypto: KeystoreCrypto, password: string): Promise<Hex> {
  if (crypto.kdf === 'scrypt') return deriveScrypt(crypto.kdfparams, password)
  const { c, salt, dklen } = crypto.kdfparams
  return bytesToHex(await promisify(pbkdf2)(password, Buffer.from(salt, 'hex'), c, dklen, 'sha256'))
}

async function deriveScrypt({ n, r, p, salt, dklen }: ScryptParams, password: string): Promise<Hex> {
  try {
    // Node's scrypt is the fastest implementation, but its OpenSSL rejects some valid parameters, such as n = 2^18 with
    // r = 1.
    const options = { N: n, r, p, maxmem: 128 * r * (n + p + 2) }
    const derive = promisify<string, Buffer, number, typeof options, Buffer>(scrypt)
    return bytesToHex(await derive(password, Buffer.from(salt, 'hex'), dklen, options))
  } catch {
    const [key] = await Keystore.scryptAsync({ n, r, p, salt: `0x${salt}`, password })
    return key()
  }
}
