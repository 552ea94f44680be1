import { startHttpServer } from '@firmquote/test-support/httpServer'
import {
  type Abi,
  type Address,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  toFunctionSelector,
} from 'viem'

/** Returns a false result of a contract call, or undefined to leave the honest one. */
export type CallLie = (call: { to: Address; data: Hex }) => Hex | undefined
/** Returns a false result of a JSON-RPC method. */
export type MethodLie = (honest: unknown, params: readonly unknown[]) => unknown

/** The falsified answers of a dishonest node. It does not support methods that are null. */
export type Lies = { call?: CallLie; methods?: Readonly<Record<string, MethodLie | null>> }

/** A dishonest node. `lies` may be changed at any time. */
export type LyingNode = { url: string; lies: Lies; close(): Promise<void> }

type Asked = { id: number; method: string; params?: readonly unknown[] }
const multicall = '0xca11bde05977b3631167028862be2a173976ca11'

/** Starts a dishonest node in front of an honest one. Calls inside a multicall are falsified one by one. */
export async function startLyingNode(rpcUrl: string): Promise<LyingNode> {
  const forward = async (asked: Asked) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(asked) })
    return (await answer.json()) as { result?: unknown; error?: unknown }
  }
  const respond = async (asked: Asked) => {
    const { method, params = [] } = asked
    const [call] = params as [{ to?: Address; data?: Hex }?]
    const own =
      method === 'eth_call' && call?.to && call.data ? node.lies.call?.({ to: call.to, data: call.data }) : undefined
    const lie = node.lies.methods?.[method]
    if (own !== undefined) return { jsonrpc: '2.0', id: asked.id, result: own }
    if (lie === null) return { jsonrpc: '2.0', id: asked.id, error: { code: -32_601, message: 'method not found' } }
    const honest = await forward(asked)
    if (lie) return { jsonrpc: '2.0', id: asked.id, result: await lie(honest.result, params) }
    if (method !== 'eth_call' || call?.to?.toLowerCase() !== multicall || typeof honest.result !== 'string')
      return honest
    return { ...honest, result: falsify(call.data ?? '0x', honest.result as Hex, node.lies.call) }
  }
  const { url, close } = await startHttpServer(async ({ body }, response) => {
    const asked = JSON.parse(body) as Asked | Asked[]
    const answers = Array.isArray(asked) ? await Promise.all(asked.map(respond)) : await respond(asked)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers))
  })
  const node: LyingNode = { url, lies: {}, close }
  return node
}

/** Returns a function's result for calls of it. */
export function lie(abi: Abi, functionName: string, result: unknown, of?: Address): CallLie {
  const item = abi.find((one) => one.type === 'function' && one.name === functionName)
  const selector = toFunctionSelector(item as never)
  return ({ to, data }) =>
    data.startsWith(selector) && (of === undefined || to.toLowerCase() === of.toLowerCase())
      ? encodeFunctionResult({ abi, functionName, result } as never)
      : undefined
}

/** Combines lies about several functions. */
export const all =
  (...lies: CallLie[]) =>
  (call: { to: Address; data: Hex }) => {
    for (const one of lies) {
      const result = one(call)
      if (result !== undefined) return result
    }
    return undefined
  }

function falsify(data: Hex, honest: Hex, lie: CallLie | undefined): Hex {
  if (!lie || !data.startsWith('0x82ad56cb')) return honest
  const { args } = decodeFunctionData({ abi: multicall3Abi, data })
  const [calls] = args as unknown as [readonly { target: Address; callData: Hex }[]]
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: honest })
  const result = results.map((one, index) => {
    const call = calls[index]
    const returnData = call && lie({ to: call.target, data: call.callData })
    return returnData === undefined ? one : { success: true, returnData }
  })
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}
