import { interestRatePoolAbi, type QuoteState, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import {
  createSharedState,
  type LendingMarket,
  type LoanToken,
  type QuoteStateQuery,
  readMarkets,
  readQuoteStates,
} from '@firmquote/core/chain'
import { KEEPER_BUNDLER_ADDRESS, raiseNonceParameters } from '@firmquote/sdk'
import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  isAddressEqual,
  type LocalAccount,
  zeroAddress,
  zeroHash,
} from 'viem'
import { readContract, writeContract } from 'viem/actions'
import type { OutstandingQuote } from '../../domain/exposure.ts'
import type { Chain } from '../../ports/chain.ts'
import type { PositionChain } from '../../ports/positionChain.ts'
import { checkDeployment, type ExpectedContracts } from './checkDeployment.ts'
import { createPositionChain } from './createPositionChain.ts'
import { readFill } from './readFill.ts'
import { wrapChainErrors } from './rpcFailure.ts'
import { sendTransaction } from './sendTransaction.ts'
import { createSerialQueue } from './serialQueue.ts'

/** Options of {@link createViemChain}. */
export type ViemChainOptions = ExpectedContracts & {
  rpcUrl: string
  /** The maker's account, which also sends transactions. */
  account: LocalAccount
  /** Contract that settles many positions in one transaction. */
  keeperBundler?: Address
}

/** Timeout for a request to the node, in milliseconds. Short, because auctions end at a fixed time. */
const requestTimeoutMs = 5_000

/** Creates a {@link Chain} that uses a JSON-RPC node. */
export function createViemChain({
  rpcUrl,
  account,
  keeperBundler = KEEPER_BUNDLER_ADDRESS,
  ...deployment
}: ViemChainOptions): Chain & { positions: PositionChain } {
  const { quoteMarket, interestRatePool } = deployment
  const transport = http(rpcUrl, { timeout: requestTimeoutMs, retryCount: 1, retryDelay: 100 })
  const client = createWalletClient({ account, transport })
  const maker = account.address
  const pools = new Map<Hex, LendingMarket>()
  const loanTokens = new Map<Hex, Address>()
  const tokens = new Map<Address, LoanToken>()
  const sharedState = createSharedState()
  const inOrder = createSerialQueue()

  async function poolOf(poolId: Hex): Promise<LendingMarket | null> {
    const known = pools.get(poolId)
    if (known) return known
    const pool = { address: interestRatePool, abi: interestRatePoolAbi, functionName: 'pools', args: [poolId] } as const
    const [loanToken, adapter, market] = await readContract(client, pool)
    if (isAddressEqual(loanToken, zeroAddress)) return null
    // A pool never changes.
    const found = { poolId, loanToken, adapter, market }
    pools.set(poolId, found)
    return found
  }

  return {
    positions: createPositionChain({ client, quoteMarket, interestRatePool, keeperBundler, inOrder }),
    check: () => checkDeployment(client, deployment),
    readMaker: ({ poolId, seriesKey }, outstanding) =>
      wrapChainErrors(async () => {
        const pool = await poolOf(poolId)
        if (!pool) return null
        const sameToken = outstanding.filter(({ loanToken }) => loanToken === pool.loanToken)
        const quotes = [probe({ maker, poolId, seriesKey }), ...sameToken.map(toQuery)]
        const [{ block, states }, { markets }] = await Promise.all([
          readQuoteStates(client, { quoteMarket, interestRatePool, quotes, loanTokens, sharedState }),
          readMarkets(client, { interestRatePool, pools: [pool], tokens }),
        ])
        const [own, ...others] = states
        const [market] = markets
        if (!own || !market) throw new TypeError('The chain returned no quote state.')
        const { balance, allowance, makerNonce: nonce } = own
        return {
          block,
          funds: {
            loanToken: pool.loanToken,
            timestamp: block.timestamp,
            nonce,
            balance,
            allowance,
            ended: endedOf(others),
          },
          series: own,
          floatingRatePerSec: market.ratePerSec,
          decimals: market.loanToken.decimals,
        }
      }),

    readEnded: (outstanding) =>
      wrapChainErrors(async () => {
        const { block, states } = await readQuoteStates(client, {
          quoteMarket,
          interestRatePool,
          quotes: outstanding.map(toQuery),
          loanTokens,
        })
        return { timestamp: block.timestamp, ended: endedOf(states) }
      }),

    readFill: (hash, block) =>
      wrapChainErrors(async () => {
        const found = await readFill(client, { quoteMarket, interestRatePool, maker, hash, block })
        const pool = found && (await poolOf(found.poolId))
        return found && pool && { ...found, loanToken: pool.loanToken }
      }),

    async raiseNonce() {
      const call = { ...raiseNonceParameters({ quoteMarketAddress: quoteMarket }), account, chain: null } as const
      const { transactionHash, blockNumber } = await sendTransaction(client, () =>
        inOrder(() => writeContract(client, call)),
      )
      const nonces = { address: quoteMarket, abi: quoteMarketAbi, functionName: 'nonces', args: [maker] } as const
      return { transactionHash, nonce: await wrapChainErrors(() => readContract(client, { ...nonces, blockNumber })) }
    },
  }
}

/** Builds a query for a nonexistent quote. The result contains the state of the maker and of the series. */
function probe(market: Pick<SignedQuote, 'maker' | 'poolId' | 'seriesKey'>): QuoteStateQuery {
  const amounts = { notional: 0n, vrtAmount: 0n, nonce: 0n, deadline: 0n }
  const quote = { ...market, ...amounts, taker: zeroAddress, salt: zeroHash, signature: '0x' } as const
  return { quote, hash: zeroHash, signer: null, preview: false }
}

function toQuery({ hash, quote }: OutstandingQuote): QuoteStateQuery {
  return { quote: { ...quote, signature: '0x' }, hash, signer: null, preview: false }
}

function endedOf(states: readonly QuoteState[]): Set<Hex> {
  return new Set(states.filter(({ status }) => status !== 'open').map(({ hash }) => hash))
}
