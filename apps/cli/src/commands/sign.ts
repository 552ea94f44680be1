import { readFile } from 'node:fs/promises'
import { encodeJson, quoteShape } from '@firmquote/core/wire'
import { bytesToHex, zeroAddress } from 'viem'
import { connectService, type ServiceOptions } from '../connect.ts'
import type { Context } from '../context.ts'
import { decodeInput } from '../decodeInput.ts'
import { UsageError } from '../errors.ts'
import { loadPrivateKey } from '../loadPrivateKey.ts'

/** The options of `firmquote sign`. */
export type SignOptions = ServiceOptions & { keyFile?: string }

/**
 * Signs the terms of a quote and prints the signed quote, as the service takes it. What the terms leave out is the account
 * of the key (`maker`), anyone (`taker`) and random bytes (`salt`).
 *
 * @throws {UsageError} when the terms do not fit; the message names every mistake.
 */
export async function sign(context: Context, file: string, options: SignOptions): Promise<void> {
  const key = await loadPrivateKey(context, options.keyFile)
  const client = connectService(context, options)
  client.setPrivateKey(key)
  const terms = parseTerms(await loadText(context, file))
  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const whole = { maker: client.getAddress(), taker: zeroAddress, salt, ...terms }
  const signed = await client.signQuoteMarketQuote(decodeInput(quoteShape, whole, 'The quote'))
  context.write(`${options.json ? encodeJson(signed) : JSON.stringify(signed, null, 2)}\n`)
}

async function loadText(context: Context, file: string): Promise<string> {
  if (file === '-') return context.standardInput()
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`The file of the quote cannot be read (${cause.code ?? 'unknown'}).`)
  })
}

/** `JSON.parse` says what it has read: that might be a key in the wrong place. */
function parseTerms(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError('The quote is not JSON.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError('The quote must be one JSON object.')
}
