import { type Address, type Client, decodeFunctionResult, encodeFunctionData, erc20Abi } from 'viem'
import { formatAddress } from '../format/formats.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { decodedOrNull, readEach } from './readEach.ts'

/** Maximum length of a token's symbol, in characters. Longer ones are cut, because a token may return any text. */
const maxSymbolLength = 32

/** The immutable properties of a token. */
export type LoanToken = { address: Address; symbol: string; decimals: number }

/**
 * Reads tokens that are not yet in the map, in one request, and adds them. Omits tokens without decimals, because their
 * amounts cannot be interpreted.
 */
export async function readTokens(
  client: Client,
  { addresses, block, tokens }: { addresses: readonly Address[]; block: BlockRef; tokens: Map<Address, LoanToken> },
): Promise<void> {
  const unknown = [...new Set(addresses)].filter((address) => !tokens.has(address))
  const answers = await readEach(
    client,
    unknown.flatMap((address) =>
      (['symbol', 'decimals'] as const).map((functionName) => ({
        address,
        data: encodeFunctionData({ abi: erc20Abi, functionName }),
      })),
    ),
    block,
  )
  unknown.forEach((address, index) => {
    const symbol = decodedOrNull(answers[index * 2], (data) =>
      decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data }),
    )
    const decimals = decodedOrNull(answers[index * 2 + 1], (data) =>
      decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data }),
    )
    // Some old tokens have a symbol that is not an ABI string.
    if (decimals !== null) tokens.set(address, { address, symbol: shorten(symbol ?? formatAddress(address)), decimals })
  })
}

/** Cuts a symbol, without splitting a character. */
function shorten(symbol: string): string {
  // A character has one or two code units.
  const characters = Array.from(symbol.slice(0, 2 * maxSymbolLength + 1))
  return characters.length > maxSymbolLength ? `${characters.slice(0, maxSymbolLength - 1).join('')}…` : symbol
}
