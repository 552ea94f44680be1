import { type QuoteMarketQuote, quoteTypedData, type SignedQuote } from '@firmquote/core'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import { type Hex, numberToHex, type TransactionReceipt, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The devnet of this test file, from `beforeAll` on. */
export let devnet: Devnet
/** The time of the newest block when the test begins, in Unix seconds. */
export let now: bigint

/** Starts one devnet for the file, and undoes what each test changes. */
export function useTestDevnet(prepare: () => Promise<unknown> = async () => {}): void {
  let clean: Hex
  beforeAll(async () => {
    devnet = await startDevnet()
    await prepare()
  }, 60_000)
  afterAll(() => devnet?.stop())
  beforeEach(async () => {
    clean = await devnet.testClient.snapshot()
    now = (await devnet.publicClient.getBlock()).timestamp
  })
  afterEach(() => devnet.testClient.revert({ id: clean }))
}

/** Raw units of the loan token. */
export const tokens = (amount: number) => BigInt(amount) * 1_000_000n
export const whole = tokens(100_000)

/** A request for all of it in the nearest series. */
export const request = () => {
  const [{ poolId, series }] = devnet.pools
  return { poolId, seriesKey: series[0]?.seriesKey as Hex, notional: whole }
}

let salts = 0n

/** A quote in the nearest series that can be taken, but for what is changed, signed by `maker`. */
export async function quoteOf(
  maker: DevnetAccount,
  notional: bigint,
  vrtAmount: bigint,
  change: Partial<SignedQuote> = {},
): Promise<SignedQuote> {
  const { poolId, seriesKey } = request()
  const terms: QuoteMarketQuote = {
    maker: maker.address,
    taker: zeroAddress,
    poolId,
    seriesKey,
    notional,
    vrtAmount,
    nonce: 0n,
    deadline: now + 600n,
    salt: numberToHex(++salts, { size: 32 }),
    ...change,
  }
  const domain = { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket }
  const signature = await privateKeyToAccount(maker.privateKey).signTypedData(quoteTypedData(terms, domain))
  return { ...terms, signature: change.signature ?? signature }
}

/** Sends a call and waits for its block. */
export async function mined(account: DevnetAccount, call: object): Promise<TransactionReceipt> {
  const hash = await devnet.walletClient(account).writeContract(call as never)
  return devnet.publicClient.waitForTransactionReceipt({ hash })
}
