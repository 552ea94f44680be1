import { createReadStream } from 'node:fs'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'

/** Maximum size of a file in bytes, far above that of any proof. */
const maxFileBytes = 64 * 1024 * 1024

/**
 * Reads a text file, or standard input for `-`.
 *
 * @param what subject of the error message, such as `The policy`.
 * @throws {UsageError} if the file cannot be read or is too large.
 */
export async function loadInput({ standardInput }: Context, file: string, what: string): Promise<string> {
  if (file === '-') return standardInput()
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of createReadStream(file)) {
      size += (piece as Buffer).length
      if (size > maxFileBytes) throw new UsageError(`${what} is larger than ${maxFileBytes} bytes.`)
      pieces.push(piece as Buffer)
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`${what} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** @throws {UsageError} if the text is not a JSON object. The error omits the text, which might be a key. */
export function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(`${what} is not a JSON object.`)
}
