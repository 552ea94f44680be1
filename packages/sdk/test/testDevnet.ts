import type { SignedQuote } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import type { Hex, TransactionReceipt } from 'viem'
import { devnet, now, testMaker } from '../../devnet/test/testDevnet.ts'

export { devnet, now, testMaker, useTestDevnet } from '../../devnet/test/testDevnet.ts'

/** Converts whole loan tokens to raw units. */
export const tokens = (amount: number) => BigInt(amount) * 1_000_000n
export const whole = tokens(100_000)

/** A request for the whole notional in the nearest series. */
export const request = () => {
  const [{ poolId, series }] = devnet.pools
  return { poolId, seriesKey: series[0]?.seriesKey as Hex, notional: whole }
}

/** Returns an executable quote in the nearest series with the given changes, signed by `maker`. */
export async function quoteOf(
  maker: DevnetAccount,
  notional: bigint,
  vrtAmount: bigint,
  { signature, ...changes }: Partial<SignedQuote> = {},
): Promise<SignedQuote> {
  const terms = { maker: maker.address, notional, vrtAmount, deadline: now + 600n, ...changes }
  const quote = await testMaker.quote(terms)
  return { ...quote, signature: signature ?? (await testMaker.sign(quote, maker)) }
}

/** Sends a call and waits until it is in a block. */
export async function mined(account: DevnetAccount, call: object): Promise<TransactionReceipt> {
  const hash = await devnet.walletClient(account).writeContract(call as never)
  return devnet.publicClient.waitForTransactionReceipt({ hash })
}
