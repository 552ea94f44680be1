import {
  interestRatePoolAbi,
  type QuoteDomain,
  quoteMarketAbi,
  quoteTypedData,
  type SignedQuote,
} from '@firmquote/core'
import { type Address, createPublicClient, erc20Abi, type Hex, hashTypedData, http, verifyTypedData } from 'viem'
import { z } from 'zod'

const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Schema for a fixed number of bytes in hex, including addresses. */
const hex = (bytes: number) => {
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)
  return z.custom<Hex>((value) => typeof value === 'string' && pattern.test(value))
}
const address = hex(20)
const bytes32 = hex(32)
const integer = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform(BigInt)

/** Schema of a signed quote in a request. */
export const rivalQuoteSchema = z.strictObject({
  maker: address,
  taker: address,
  poolId: bytes32,
  seriesKey: bytes32,
  notional: integer,
  vrtAmount: integer,
  nonce: integer,
  deadline: integer,
  salt: bytes32,
  signature: hex(65),
})

/** The rival's chain. */
export type RivalChain = { rpcUrl: string; domain: QuoteDomain; interestRatePool: Address }

/**
 * Judges a quote with viem, as a good developer would write it in an afternoon. Verifies the signature, then performs
 * the service's chain reads in one multicall at the latest block. Returns the quote's hash and rate.
 *
 * The returned function throws a TypeError describing the problem.
 *
 * @param readsChain if false, reads no chain state and assumes a term of one year.
 */
export function createRivalJudge(
  { rpcUrl, domain, interestRatePool }: RivalChain,
  { readsChain }: { readsChain: boolean },
) {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const loanTokens = new Map<Hex, Address>()
  const market = { address: domain.quoteMarket, abi: quoteMarketAbi } as const
  const pool = { address: interestRatePool, abi: interestRatePoolAbi } as const

  const loanTokenOf = async (poolId: Hex): Promise<Address> => {
    const known = loanTokens.get(poolId)
    if (known) return known
    const [token] = await client.readContract({ ...pool, functionName: 'pools', args: [poolId] })
    loanTokens.set(poolId, token)
    return token
  }

  return async (quote: SignedQuote): Promise<{ hash: Hex; apr: number }> => {
    const { signature, ...terms } = quote
    const { maker, seriesKey, poolId, notional } = quote
    const typedData = quoteTypedData(terms, domain)
    const hash = hashTypedData(typedData)
    if (!(await verifyTypedData({ ...typedData, address: maker, signature }))) throw new TypeError('BAD_SIGNATURE')
    if (!readsChain) return { hash, apr: (Number(quote.vrtAmount) / Number(notional)) * 100 }

    const token = { address: await loanTokenOf(poolId), abi: erc20Abi } as const
    const [block, [nonce, status, series, capacity, balance, allowance]] = await Promise.all([
      client.getBlock(),
      client.multicall({
        multicallAddress,
        allowFailure: false,
        contracts: [
          { ...market, functionName: 'nonces', args: [maker] },
          { ...market, functionName: 'quoteStatus', args: [hash] },
          { ...pool, functionName: 'series', args: [seriesKey] },
          { ...pool, functionName: 'capacity', args: [seriesKey] },
          { ...token, functionName: 'balanceOf', args: [maker] },
          { ...token, functionName: 'allowance', args: [maker, domain.quoteMarket] },
        ],
      }),
    ])
    const [seriesPool, expiry] = series
    if (quote.deadline < block.timestamp) throw new TypeError('DEADLINE_PASSED')
    if (quote.nonce !== nonce) throw new TypeError('NONCE_MISMATCH')
    if (status !== 0) throw new TypeError('QUOTE_FILLED')
    if (seriesPool !== poolId || expiry <= block.timestamp) throw new TypeError('SERIES_NOT_FOUND')
    if (notional > capacity) throw new TypeError('CAPACITY_EXCEEDED')
    if (balance < notional || allowance < notional) throw new TypeError('INSUFFICIENT_FUNDS')
    const years = Number(expiry - block.timestamp) / 31_536_000
    return { hash, apr: ((Number(quote.vrtAmount) / Number(notional)) * 100) / years }
  }
}
