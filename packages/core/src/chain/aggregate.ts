import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import type { BlockRef } from '../judgeState.ts'

/** Multicall3's address, the same on every chain that has it. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** A reading of one contract. */
export type Call = { address: Address; abi: readonly unknown[]; functionName: string; args: readonly unknown[] }

/** Readings that go to the node in one request. */
export type CallList = {
  /** Adds a reading and gives its place among the answers. What has been asked for under the same key is asked once. */
  add(call: Call, key?: string): number
  /** One request for everything that was added; any reading that fails fails all. */
  read(client: Client, block: BlockRef): Promise<unknown[]>
}

/** Creates an empty list. */
export function createCallList(): CallList {
  const calls: Call[] = []
  const places = new Map<string, number>()
  return {
    add(call, key) {
      const known = key === undefined ? undefined : places.get(key)
      if (known !== undefined) return known
      const place = calls.push(call) - 1
      if (key !== undefined) places.set(key, place)
      return place
    },
    async read(client, block) {
      if (calls.length === 0) return []
      return multicall(client, {
        contracts: calls as Parameters<typeof multicall>[1]['contracts'],
        allowFailure: false,
        batchSize: 0,
        blockNumber: block.number,
        multicallAddress: multicall3Address,
      })
    },
  }
}
