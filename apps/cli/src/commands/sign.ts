import { readFile } from 'node:fs/promises'
import { encodeJson } from '@firmquote/core/utils'
import { quoteShape } from '@firmquote/core/wire'
import { bytesToHex, zeroAddress } from 'viem'
import { connectService, type ServiceOptions } from '../connect.ts'
import type { Context } from '../context.ts'
import { decodeInput } from '../decodeInput.ts'
import { UsageError } from '../errors.ts'
import { loadPrivateKey } from '../loadPrivateKey.ts'

/** Options of `firmquote sign`. */
export type SignOptions = ServiceOptions & { keyFile?: string }

/**
 * Signs a quote and prints it in the service's format. Defaults for missing terms: the key's account (`maker`), anyone
 * (`taker`) and random bytes (`salt`).
 *
 * @throws {UsageError} if the terms are invalid. The message lists every mistake.
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
    throw new UsageError(`Cannot read the quote file (${cause.code ?? 'unknown'}).`)
  })
}

/**
 * Replaces the error from `JSON.parse`, because it quotes the input, which might be a key passed by mistake.
 */
function parseTerms(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError('The quote is not valid JSON.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError('The quote must be a JSON object.')
}
