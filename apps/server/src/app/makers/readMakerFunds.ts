import type { Address } from 'viem'
import type { Standing } from '../../domain/seats.ts'
import type { Chain } from '../../ports/chain.ts'

/** Reads the loan-token amounts that makers can pay, all at a single block. Rejects if the chain does not respond. */
export async function readMakerFunds(
  chain: Pick<Chain, 'readFunds'>,
  makers: readonly Address[],
  tokens: readonly Address[],
): Promise<Standing['funds']> {
  const unique = [...new Map(makers.map((maker) => [maker.toLowerCase(), maker])).values()]
  const { funds } = await chain.readFunds({ makers: unique, tokens: [...new Set(tokens)] })
  return new Map(
    [...funds].map(([token, amounts]) => [
      token,
      new Map([...amounts].map(([maker, amount]) => [maker.toLowerCase(), amount])),
    ]),
  )
}
