import {
  type Address,
  type Client,
  createClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  numberToHex,
  RpcRequestError,
  toHex,
} from 'viem'
import { multicall3Address } from '../src/chain/aggregate.ts'

/** An `eth_call` as sent. */
export type SentCall = { to: Address; data: Hex; block: unknown; params: readonly unknown[] }

/** The node's latest block. */
export const scriptedBlock = { number: 77n, hash: toHex(7, { size: 32 }), timestamp: 1_767_225_600n } as const

/**
 * Creates a fake node that answers contract calls with a function, to test core's decisions. Other packages test the
 * reads on a real chain. `answer` may throw {@link refusal} or delay its result.
 */
export function createScriptedNode(answer: (to: Address, data: Hex, params: readonly unknown[]) => Hex | Promise<Hex>) {
  /** The methods of all requests. */
  const methods: string[] = []
  /** All `eth_call`s. A multicall counts as one. */
  const calls: SentCall[] = []
  /** Multicall3's block facts: number, timestamp and parent hash. */
  const facts: Record<Hex, bigint> = { '0x42cbb15c': scriptedBlock.number, '0x0f28c97d': scriptedBlock.timestamp }
  const factOf = (data: Hex) => numberToHex(facts[data] ?? 6n, { size: 32 })
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    methods.push(method)
    if (method === 'eth_getBlockByNumber') {
      const { number, hash, timestamp } = scriptedBlock
      const parentHash = numberToHex(6, { size: 32 })
      return { number: numberToHex(number), hash, timestamp: numberToHex(timestamp), parentHash, transactions: [] }
    }
    if (method !== 'eth_call') throw refusal(-32_601, `the method ${method} does not exist`)
    const [{ to, data }, block] = params as [{ to: Address; data: Hex }, string]
    calls.push({ to, data, block, params: params as readonly unknown[] })
    if (!isAddressEqual(to, multicall3Address)) return answer(to, data, calls.at(-1)?.params ?? [])
    const { args } = decodeFunctionData({ abi: multicall3Abi, data })
    const results = await Promise.all(
      (args[0] as readonly { target: Address; callData: Hex }[]).map(async ({ target, callData }) => ({
        success: true,
        returnData: isAddressEqual(target, multicall3Address) ? factOf(callData) : await answer(target, callData, []),
      })),
    )
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
  }
  const client: Client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  return { client, methods, calls }
}

/** A node error, as thrown by viem's HTTP transport. */
export function refusal(code: number, message: string): RpcRequestError {
  return new RpcRequestError({ body: {}, error: { code, message }, url: 'http://node.example' })
}
