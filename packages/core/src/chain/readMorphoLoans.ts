// Why: docs/decisions/0074-settle-and-repay.md
import { type Address, type Client, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { morphoBlueAbi } from '../abi/morphoBlue.ts'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { decodedOrNull, readEach } from './readEach.ts'
import type { LendingMarket } from './readLendingTerms.ts'
import { type MorphoMarket, readMorphoMarkets } from './readSecurities.ts'

/** An account's loan on Morpho Blue, at one block. Amounts are in raw units of the loan token. */
export type MorphoLoan = {
  kind: 'morphoBlue'
  /** The Morpho Blue contract, which is repaid and needs the allowance. */
  lender: Address
  /** The market's id: the hash of `params`. */
  market: Hex
  params: { loanToken: Address; collateralToken: Address; oracle: Address; irm: Address; lltv: bigint }
  /** The debt including interest up to the block, rounded up, as Morpho rounds it. */
  debt: bigint
  /** The debt in shares of the market, which do not grow. */
  borrowShares: bigint
  /** The floating borrow rate, WAD per second. */
  ratePerSec: bigint
  /** The account's balance of the loan token. */
  balance: bigint
  /** The lender's allowance for the account's loan tokens. */
  allowance: bigint
}

/**
 * Reads an account's loans, by pool, at a block. Omits pools on other protocols, and pools of which anything cannot be
 * read. Never throws.
 */
export async function readMorphoLoans(
  client: Client,
  { account, pools, block }: { account: Address; pools: readonly LendingMarket[]; block: BlockRef },
): Promise<Map<Hex, MorphoLoan>> {
  const morphoMarkets = new Map<Hex, MorphoMarket | null>()
  await readMorphoMarkets(client, { pools, block, morphoMarkets }).catch(() => {})
  // Anyone can deploy a rate model, so each market has its own request.
  const read = await Promise.all(
    pools.map(async (pool) => {
      const market = morphoMarkets.get(pool.poolId)
      const loan = market && (await readLoan(client, { account, pool, market, block }).catch(() => null))
      return loan ? [[pool.poolId, loan] as const] : []
    }),
  )
  return new Map(read.flat())
}

async function readLoan(
  client: Client,
  {
    account,
    pool: { adapter, market, loanToken },
    market: { morpho: lender, ...rest },
    block,
  }: { account: Address; pool: LendingMarket; market: MorphoMarket; block: BlockRef },
): Promise<MorphoLoan | null> {
  const token = { abi: erc20Abi } as const
  const onAdapter = { abi: rateAdapterAbi } as const
  const [position, ...amounts] = await readEach(
    client,
    [
      {
        address: lender,
        data: encodeFunctionData({ abi: morphoBlueAbi, functionName: 'position', args: [market, account] }),
      },
      {
        address: adapter,
        data: encodeFunctionData({ ...onAdapter, functionName: 'debtOf', args: [market, account] }),
      },
      { address: adapter, data: encodeFunctionData({ ...onAdapter, functionName: 'ratePerSec', args: [market] }) },
      { address: loanToken, data: encodeFunctionData({ ...token, functionName: 'balanceOf', args: [account] }) },
      {
        address: loanToken,
        data: encodeFunctionData({ ...token, functionName: 'allowance', args: [account, lender] }),
      },
    ],
    block,
  )
  const shares = decodedOrNull(position, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'position', data }),
  )
  const [debt = null, ratePerSec = null, balance = null, allowance = null] = amounts.map((answer) =>
    decodedOrNull(answer, (data) => decodeFunctionResult({ ...onAdapter, functionName: 'debtOf', data })),
  )
  if (shares === null || debt === null || ratePerSec === null || balance === null || allowance === null) return null
  const [, borrowShares] = shares
  const params = { loanToken, ...rest }
  return { kind: 'morphoBlue', lender, market, params, debt, borrowShares, ratePerSec, balance, allowance }
}
