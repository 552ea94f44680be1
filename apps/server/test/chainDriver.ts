import type { SignedQuote } from '@firmquote/core'
import { type Devnet, type DevnetAccount, interestRatePoolAbi, quoteMarketAbi, testTokenAbi } from '@firmquote/devnet'
import { type Abi, type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'

/** Creates functions that each change a devnet in a single request: anvil signs, mines and returns the receipt. */
export function createChainDriver(devnet: Devnet) {
  const { quoteMarket, interestRatePool, loanToken, morphoAdapter } = devnet.contracts
  const rpc = <T>(method: string, params: readonly unknown[] = []): Promise<T> =>
    devnet.testClient.request({ method, params } as never)
  /** Calls a contract. `status` is `0x1` if the call succeeded, or `0x0` if it reverted. */
  const call = (from: DevnetAccount, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    return rpc<{ status: Hex }>('eth_sendTransactionSync', [{ from: from.address, to, data, gas: '0xf4240' }])
  }
  const market = (from: DevnetAccount, name: string, ...args: readonly unknown[]) =>
    call(from, quoteMarket, quoteMarketAbi as Abi, name, args)
  const pool = (name: string, ...args: readonly unknown[]) =>
    call(devnet.deployer, interestRatePool, interestRatePoolAbi as Abi, name, args)
  const mine = (blocks: number) => rpc('anvil_mine', [numberToHex(blocks)])
  const timestamp = async () =>
    Number((await rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp)
  return {
    rpc,
    call,
    /** Sets an account's allowance for the quote market. */
    approve: (from: DevnetAccount, amount: bigint) =>
      call(from, loanToken, testTokenAbi as Abi, 'approve', [quoteMarket, amount]),
    cancel: (maker: DevnetAccount, quote: SignedQuote) => market(maker, 'cancelQuote', quote),
    raiseNonce: (maker: DevnetAccount) => market(maker, 'raiseNonce'),
    take: (borrower: DevnetAccount, quote: SignedQuote) =>
      market(borrower, 'takeQuote', quote, quote.signature, quote.vrtAmount),
    createSeries: (poolId: Hex, expiry: number | bigint, cap = 10n ** 15n) =>
      pool('createSeries', poolId, BigInt(expiry), cap),
    createPool: (lendingMarket: Hex) => pool('createPool', loanToken, morphoAdapter, lendingMarket),
    settle: (positionId: bigint) => pool('settle', positionId),
    mine,
    /** Mines blocks that differ from those of an empty branch of the same length. */
    async mineOther(blocks: number) {
      await rpc('evm_setNextBlockTimestamp', [(await timestamp()) + 7])
      await mine(blocks)
    },
    snapshot: () => rpc<Hex>('evm_snapshot'),
    revert: (id: Hex) => rpc<boolean>('evm_revert', [id]),
    height: async () => Number(await rpc<Hex>('eth_blockNumber')),
    timestamp,
  }
}
