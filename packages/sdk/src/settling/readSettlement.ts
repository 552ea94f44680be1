import { INTEREST_RATE_POOL_ADDRESS } from '@firmquote/addresses'
import { MORPHO_BLUE_ADDRESS } from '@firmquote/addresses/adapters'
import { BaseError, type BlockRef, interestRatePoolAbi } from '@firmquote/core'
import {
  type LendingMarket,
  type MorphoLoan,
  multicall3Address,
  positionPayout,
  readMorphoLoans,
} from '@firmquote/core/chain'
import { checkedUint256, guardInput } from '@firmquote/core/utils'
import { type Address, type Client, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { multicall } from 'viem/actions'
import { checkedAddress, misnamedAddresses } from '../clientConfig.ts'
import { ChainUnavailableError, InvalidInputError } from '../coreErrors.ts'
import { checkClient, readChain } from '../readChain.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import { readBlockSince } from '../taking/readOffers.ts'

/** Maximum number of positions that are settled together. Each settlement uses less than 300,000 gas. */
export const maxSettlements = 16

/** The account and the positions to read. */
export type ReadSettlementParameters = {
  account: Address
  /**
   * At most 16. The account need not be a party. Settled positions count as well, so name only those whose payouts have
   * not been used yet.
   */
  positionIds: readonly bigint[]
  /** Tokens other than the positions' own whose credits to read, such as those of `withdrawable`. Default: none. */
  tokens?: readonly Address[] | undefined
  interestRatePoolAddress?: Address | undefined
  /**
   * The only lender whose loans are read. A repayment gives the lender an allowance, and a dishonest node could name an
   * attacker's contract. Default: Morpho Blue of the production deployment.
   */
  lenderAddress?: Address | undefined
  /** The earliest block to read. The node may not have a previous transaction's block yet. */
  since?: bigint | undefined
}

/** A position as stored on-chain. */
export type SettlementPosition = {
  positionId: bigint
  /** `due` from the expiry on. `settled` once its payout has been credited. */
  state: 'running' | 'due' | 'settled'
  /** Unix seconds. */
  expiry: bigint
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  isBorrower: boolean
  isMaker: boolean
  /** The final payout, in raw units of the loan token. Null if the series has no checkpoint yet. */
  payout: { toBorrower: bigint; toMaker: bigint } | null
}

/** An account's debt in a lending market. The lender's kind determines how it is repaid. */
export type Loan = MorphoLoan

/** Everything that {@link planSettlement} needs, at one block. Amounts are in raw units of the token. */
export type SettlementReading = {
  account: Address
  interestRatePool: Address
  block: BlockRef
  /** The positions in the requested order, without those that do not exist at this block. */
  positions: readonly SettlementPosition[]
  /** The account's withdrawable credits by token, including zeros. */
  credits: readonly { token: Address; amount: bigint }[]
  /**
   * The account's loans, for the pools of the positions that it borrowed. A pool is missing if its lender is
   * another one than `lenderAddress`, its market's parameters do not match the pool, or a read of the loan failed.
   */
  loans: readonly { poolId: Hex; loan: Loan }[]
}

/**
 * Reads, at one block, everything that settling an account's positions, withdrawing its credits and repaying its loans
 * requires. Payouts are computed as in the contract. Debts include interest up to the block.
 *
 * An unreadable loan is omitted, so that it cannot prevent a settlement.
 *
 * @param client Reads the chain.
 * @throws {InvalidInputError} if a parameter is malformed or there are more than 16 positions.
 * @throws {ChainUnavailableError} if the positions or credits cannot be read.
 * @example
 * ```ts
 * const reading = await readSettlement(publicClient, {
 *   account: account.address,
 *   positionIds: [position.positionId],
 * })
 * reading.positions.filter(({ state }) => state === 'due')
 * ```
 */
export async function readSettlement(client: Client, given: ReadSettlementParameters): Promise<SettlementReading> {
  checkClient(client, 'client')
  const { account, positionIds, tokens, interestRatePool, lender, since } = guardInput('parameters', () =>
    checked(given),
  )
  return readChain(client, [interestRatePool], async () => {
    try {
      const block = await readBlockSince(client, since)
      const { positions, pools } = await readPositions(client, { account, positionIds, interestRatePool, block })
      const borrowed = new Set(positions.filter(({ isBorrower }) => isBorrower).map(({ poolId }) => poolId))
      const [credits, loans] = await Promise.all([
        readCredits(client, {
          account,
          tokens: distinct([...tokens, ...pools.map(({ loanToken }) => loanToken)]),
          interestRatePool,
          block,
        }),
        readMorphoLoans(client, { account, pools: pools.filter(({ poolId }) => borrowed.has(poolId)), block }),
      ])
      return {
        account,
        interestRatePool,
        block,
        positions,
        credits,
        loans: [...loans].flatMap(([poolId, loan]) => (isAddressEqual(loan.lender, lender) ? [{ poolId, loan }] : [])),
      }
    } catch (cause) {
      if (cause instanceof BaseError) throw cause
      throw new ChainUnavailableError('Failed to read the positions from the chain.', { cause })
    }
  })
}

function checked(given: ReadSettlementParameters) {
  const { positionIds, tokens = [], since = 0n, ...parameters } = { ...given }
  rejectMisnamedOptions(parameters, {
    ...misnamedAddresses,
    lender: 'lenderAddress',
    borrower: 'account',
    address: 'account',
    positionId: 'positionIds',
  })
  if (!Array.isArray(positionIds)) throw new InvalidInputError('must be an array of bigints.', { path: 'positionIds' })
  const ids = [...new Set(positionIds.map((id, index) => checkedUint256(id, `positionIds.${index}`)))]
  if (ids.length > maxSettlements) {
    throw new InvalidInputError(`must have at most ${maxSettlements} entries.`, { path: 'positionIds' })
  }
  return {
    account: checkedAddress(parameters.account, 'account'),
    positionIds: ids,
    tokens: [...tokens].map((token, index) => checkedAddress(token, `tokens.${index}`)),
    interestRatePool: checkedAddress(
      parameters.interestRatePoolAddress ?? INTEREST_RATE_POOL_ADDRESS,
      'interestRatePoolAddress',
    ),
    lender: checkedAddress(parameters.lenderAddress ?? MORPHO_BLUE_ADDRESS, 'lenderAddress'),
    since: checkedUint256(since, 'since'),
  }
}

type At = { account: Address; interestRatePool: Address; block: BlockRef }

async function readPositions(
  client: Client,
  { account, positionIds, interestRatePool, block }: At & { positionIds: readonly bigint[] },
): Promise<{ positions: SettlementPosition[]; pools: LendingMarket[] }> {
  const pool = { address: interestRatePool, abi: interestRatePoolAbi } as const
  const options = optionsAt(block)
  const stored = await multicall(client, {
    ...options,
    contracts: positionIds.map((id) => ({ ...pool, functionName: 'positions', args: [id] }) as const),
  })
  const found = stored.flatMap((position, index) => {
    const [maker, borrower, , settled, poolId, seriesKey, notional, cost, indexAtOpen] = position
    const positionId = positionIds[index] ?? 0n
    if (maker === zeroAddress) return []
    return [{ positionId, maker, borrower, settled, poolId, seriesKey, terms: { notional, cost, indexAtOpen } }]
  })
  const poolIds = distinct(found.map(({ poolId }) => poolId))
  const keys = found.map(({ seriesKey }) => seriesKey)
  const [markets, series, checkpoints, indexes] = await Promise.all([
    multicall(client, {
      ...options,
      contracts: poolIds.map((poolId) => ({ ...pool, functionName: 'pools', args: [poolId] }) as const),
    }),
    multicall(client, {
      ...options,
      contracts: keys.map((key) => ({ ...pool, functionName: 'series', args: [key] }) as const),
    }),
    multicall(client, {
      ...options,
      contracts: keys.map((key) => ({ ...pool, functionName: 'checkpoints', args: [key] }) as const),
    }),
    multicall(client, {
      ...options,
      contracts: keys.map((key) => ({ ...pool, functionName: 'indexAtExpiry', args: [key] }) as const),
    }),
  ])
  const pools = poolIds.map((poolId, index) => {
    const [loanToken = zeroAddress, adapter = zeroAddress, market = '0x'] = markets[index] ?? []
    return { poolId, loanToken, adapter, market } satisfies LendingMarket
  })
  const positions = found.map(({ positionId, maker, borrower, settled, poolId, seriesKey, terms }, index) => {
    const [, expiry = 0n] = series[index] ?? []
    const [, readAt = 0n] = checkpoints[index] ?? []
    const state: SettlementPosition['state'] = settled ? 'settled' : expiry <= block.timestamp ? 'due' : 'running'
    return {
      positionId,
      state,
      expiry,
      poolId,
      seriesKey,
      loanToken: pools.find((entry) => entry.poolId === poolId)?.loanToken ?? zeroAddress,
      isBorrower: isAddressEqual(borrower, account),
      isMaker: isAddressEqual(maker, account),
      payout: readAt === 0n ? null : positionPayout(terms, indexes[index] ?? 0n),
    }
  })
  return { positions, pools }
}

async function readCredits(
  client: Client,
  { account, tokens, interestRatePool, block }: At & { tokens: readonly Address[] },
): Promise<{ token: Address; amount: bigint }[]> {
  const amounts = await multicall(client, {
    ...optionsAt(block),
    contracts: tokens.map(
      (token) =>
        ({
          address: interestRatePool,
          abi: interestRatePoolAbi,
          functionName: 'credits',
          args: [account, token],
        }) as const,
    ),
  })
  return tokens.map((token, index) => ({ token, amount: amounts[index] ?? 0n }))
}

/** All calls in one request, which fails as a whole. */
function optionsAt(block: BlockRef) {
  return {
    blockNumber: block.number,
    allowFailure: false,
    multicallAddress: multicall3Address,
    batchSize: 0,
  } as const
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
