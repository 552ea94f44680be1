import { BaseError, parsePrincipal } from '@firmquote/sdk'

/** An amount that was typed, in raw units, or what is wrong with it in a sentence. */
export function parseSize(text: string, decimals: number): { size: bigint } | { error: string } {
  try {
    const size = parsePrincipal(text.trim(), decimals)
    return size > 0n ? { size } : { error: 'The amount must be more than nothing.' }
  } catch (error) {
    if (error instanceof BaseError) return { error: error.shortMessage }
    throw error
  }
}

/** The same amount in units of another token; what is too small for them becomes the smallest. */
export function rescale(size: bigint, from: number, to: number): bigint {
  const scaled = (size * 10n ** BigInt(to)) / 10n ** BigInt(from)
  return scaled > 0n ? scaled : 1n
}
