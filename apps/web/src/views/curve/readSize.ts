import { BaseError, parsePrincipal } from '@firmquote/sdk'

/** An amount that was typed, in raw units, or what is wrong with it in a sentence. */
export function readSize(text: string, decimals: number): { size: bigint } | { error: string } {
  try {
    const size = parsePrincipal(text.trim(), decimals)
    return size > 0n ? { size } : { error: 'The amount must be more than nothing.' }
  } catch (error) {
    if (error instanceof BaseError) return { error: error.message }
    throw error
  }
}
