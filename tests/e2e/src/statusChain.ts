import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { interestRatePoolAbi, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { expect } from '@jest/globals'
import { type Address, type Hex, hexToBytes, numberToHex } from 'viem'
import { type Anvil, startAnvil } from '../../../packages/devnet/src/startAnvil.ts'

/** A transaction that can be sent from any account. */
export type ChainCall = { from: Address; to: Address; data: Hex }

/**
 * A quote's state at the latest block, in the form used in its maker's status updates. For an ended quote, also the
 * block in which it ended and its fill.
 */
export type ChainTruth = {
  status: 'active' | 'filled' | 'cancelled' | 'nonce_raised'
  block?: number
  transactionHash?: Hex
  taker?: Address
  notional?: bigint
  cost?: bigint
  positionId?: bigint
}

const gas = numberToHex(1_000_000)

/**
 * Takes control of a devnet, which then mines, reorganises and restarts only on command. The accounts in `senders` are
 * funded to send transactions.
 */
export async function createStatusChain(devnet: Devnet, folder: string, senders: readonly Address[]) {
  const { rpcUrl, chainId, contracts, publicClient, testClient } = devnet
  const { quoteMarket: address, interestRatePool } = contracts
  let node: Pick<Anvil, 'stop'> = devnet
  let height = 0
  /** The latest block that cannot be undone, since the node retains no earlier states. */
  let floor = 0
  let calls: { block: number; call: ChainCall }[] = []

  const rpc = <T>(method: string, params: readonly unknown[] = []) =>
    testClient.request({ method, params } as never) as Promise<T>
  const takeOver = async () => {
    await rpc('evm_setAutomine', [false])
    await rpc('anvil_autoImpersonateAccount', [true])
    height = Number(await rpc<Hex>('eth_blockNumber'))
    floor = height
  }
  const mineEmpty = async (blocks: number) => {
    await rpc('anvil_mine', [numberToHex(blocks)])
    height += blocks
  }
  const chain = {
    height: () => height,

    /** Mines one block per list of calls. Reverting calls have no effect on the state. Returns the fills. */
    async mine(blocks: readonly (readonly ChainCall[])[]) {
      const first = height + 1
      for (const block of blocks) {
        for (const call of block) await rpc('eth_sendTransaction', [{ ...call, gas }])
        await rpc('evm_mine')
        height += 1
        calls.push(...block.map((call) => ({ block: height, call })))
      }
      const range = { fromBlock: BigInt(first), toBlock: BigInt(height) }
      const filled = { abi: quoteMarketAbi, address, eventName: 'QuoteFilled', ...range } as const
      const logs = blocks.length === 0 ? [] : await publicClient.getContractEvents(filled)
      return logs.map(({ args, transactionHash }) => ({ hash: args.hash ?? ('0x' as Hex), transactionHash }))
    },

    /**
     * Replaces the latest `depth` blocks with `depth` + 1 new ones. `place` maps each undone call to the index of its
     * new block, starting at the first new block, or to null to drop the call. Returns the number of undone calls.
     */
    async reorganise(depth: number, place: (depth: number) => number | null): Promise<number> {
      if (height - floor < depth) await mineEmpty(depth - (height - floor))
      const kept = height - depth
      const undone = calls.filter(({ block }) => block > kept)
      const again = undone
        .flatMap(({ call }) => {
          const block = place(depth)
          return block === null ? [] : [{ call, block }]
        })
        .sort((one, other) => one.block - other.block)
      await rpc('anvil_reorg', [depth, again.map(({ call, block }) => [{ ...call, gas }, block])])
      const moved = again.map(({ call, block }) => ({ call, block: kept + 1 + block }))
      calls = [...calls.filter(({ block }) => block <= kept), ...moved]
      await mineEmpty(1)
      return undone.length
    },

    /** Restarts the node, preserving its state. */
    async restart(): Promise<void> {
      const dump = gunzipSync(hexToBytes(await rpc<Hex>('anvil_dumpState', [false])))
      const state = JSON.parse(dump.toString()) as { blocks: { header: { number: Hex; timestamp: Hex } }[] }
      // A node restored from saved state adds another first block, and may then use either.
      state.blocks = state.blocks.filter(
        ({ header }) => Number(header.number) > 0 || header.timestamp === begun.timestamp,
      )
      const stateFile = join(folder, 'chain.json')
      writeFileSync(stateFile, JSON.stringify(state))
      await node.stop()
      node = await startAnvil({ port: Number(new URL(rpcUrl).port), chainId, stateFile })
      const before = height
      await takeOver()
      expect(height).toBe(before)
      expect(await firstBlock()).toEqual(begun)
    },

    async truthOf(quotes: readonly { hash: Hex; quote: SignedQuote }[]): Promise<ReadonlyMap<Hex, ChainTruth>> {
      const at = { abi: quoteMarketAbi, address } as const
      const statuses = await publicClient.multicall({
        contracts: quotes.map(({ hash }) => ({ ...at, functionName: 'quoteStatus', args: [hash] }) as const),
        allowFailure: false,
      })
      const makers = [...new Set(quotes.map(({ quote }) => quote.maker))]
      const raised = await publicClient.multicall({
        contracts: makers.map((maker) => ({ ...at, functionName: 'nonces', args: [maker] }) as const),
        allowFailure: false,
      })
      const nonces = new Map(makers.map((maker, index) => [maker, raised[index] ?? 0n]))
      const range = { fromBlock: 0n, toBlock: 'latest' } as const
      const filled = await publicClient.getContractEvents({ ...at, eventName: 'QuoteFilled', ...range })
      const cancelled = await publicClient.getContractEvents({ ...at, eventName: 'QuoteCancelled', ...range })
      const pool = { abi: interestRatePoolAbi, address: interestRatePool, eventName: 'PositionOpened' } as const
      const opened = await publicClient.getContractEvents({ ...pool, ...range })
      const ends = new Map(
        [...filled, ...cancelled].map(({ args, blockNumber, transactionHash }) => [
          args.hash,
          { block: Number(blockNumber), transactionHash },
        ]),
      )
      const positions = new Map(opened.map(({ transactionHash, args }) => [transactionHash, args]))
      return new Map(
        quotes.map(({ hash, quote }, index): [Hex, ChainTruth] => {
          const end = ends.get(hash)
          if (statuses[index] === 2) return [hash, { status: 'cancelled', ...end }]
          if (statuses[index] === 1 && end) {
            const { borrower, notional, cost, positionId } = positions.get(end.transactionHash) ?? {}
            if (!borrower || !notional || cost === undefined || !positionId)
              throw new TypeError('A fill has no position.')
            return [hash, { status: 'filled', ...end, taker: borrower, notional, cost, positionId }]
          }
          return [hash, { status: (nonces.get(quote.maker) ?? 0n) > quote.nonce ? 'nonce_raised' : 'active' }]
        }),
      )
    },

    stop: () => node.stop(),
  }

  const firstBlock = async () => {
    const { hash, timestamp } = await rpc<{ hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['0x0', false])
    return { hash, timestamp }
  }
  const begun = await firstBlock()
  await takeOver()
  for (const sender of senders) await rpc('anvil_setBalance', [sender, numberToHex(10n ** 20n)])
  // Funding the senders is not a transaction, so a reorganisation must not go back past these blocks.
  await mineEmpty(2)
  floor = height
  return chain
}
