import { type Address, concatHex, encodeFunctionData, type Hex, hexToBigInt, keccak256, numberToHex, toHex } from 'viem'
import { batchAccountAbi, batchAccountDeployedBytecode } from './generated/batchAccount.ts'

/** A web page's request to a wallet (EIP-1193). */
type WalletRequest = { method: string; params?: readonly unknown[] | undefined }

/** Parameters of `wallet_sendCalls` (EIP-5792, version 2.0.0). */
type SendCalls = {
  version: string
  chainId: Hex
  from: Address
  atomicRequired: boolean
  calls: readonly { to: Address; data?: Hex; value?: Hex }[]
}

/**
 * The wallet's support for atomic batches. If its support is `ready`, the wallet upgrades its account with the first
 * batch.
 */
type AtomicStatus = 'supported' | 'ready'

/** The address of the code that the accounts delegate to. */
const batchAccount: Address = `0x${keccak256(toHex('Firmquote devnet batch account')).slice(-40)}`
const delegation = concatHex(['0xef0100', batchAccount])

/** Returns the code that enables atomic batches for a devnet account: the batch contract and the delegation. */
export function batchAccountCode(address: Address): readonly { address: Address; bytecode: Hex }[] {
  return [
    { address: batchAccount, bytecode: batchAccountDeployedBytecode },
    { address, bytecode: delegation },
  ]
}

/**
 * Creates a wallet that supports atomic batches (EIP-5792), for an account unlocked in the devnet's node, such as one
 * of anvil's own. The account delegates to a batch contract (EIP-7702), so all calls take effect or none do. All other
 * methods are forwarded to the node.
 *
 * @throws {Error} `request` rejects with an error whose `code` is from EIP-1193 or EIP-5792.
 */
export function createBatchWallet(
  { rpcUrl, chainId }: { rpcUrl: string; chainId: number },
  { address, atomic = 'supported' }: { address: Address; atomic?: AtomicStatus },
): { request(request: WalletRequest): Promise<unknown> } {
  let status = atomic

  async function node(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result: unknown } | { error: { code: number; message: string } }
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result
  }

  /** Sets the delegation directly, because the node does not sign EIP-7702 authorizations for its accounts. */
  async function delegate(): Promise<void> {
    // A node behind a relay rejects `anvil_setCode`, but its accounts are already delegated.
    if ((await node('eth_getCode', [address, 'latest'])) !== delegation) {
      for (const code of batchAccountCode(address)) await node('anvil_setCode', [code.address, code.bytecode])
    }
    status = 'supported'
  }

  async function send({ version, chainId: asked, from, calls }: SendCalls): Promise<{ id: unknown }> {
    if (version !== '2.0.0') throw refusal(-32602, `Version ${version} is not known.`)
    if (hexToBigInt(asked) !== BigInt(chainId)) throw refusal(5710, `Chain ${asked} is not known.`)
    if (from.toLowerCase() !== address.toLowerCase()) throw refusal(4100, 'The account is unknown.')
    await delegate()
    const batch = calls.map(({ to, data = '0x', value = '0x0' }) => ({ to, data, value: hexToBigInt(value) }))
    const data = encodeFunctionData({ abi: batchAccountAbi, functionName: 'execute', args: [batch] })
    const value = numberToHex(batch.reduce((sum, call) => sum + call.value, 0n))
    // A fixed gas limit skips the simulation, so a failing batch is mined and reverts, as if front-run.
    return { id: await node('eth_sendTransaction', [{ from, to: address, data, value, gas: numberToHex(5_000_000) }]) }
  }

  async function find(id: unknown): Promise<object> {
    const receipt = (await node('eth_getTransactionReceipt', [id])) as { status: Hex } | null
    const base = { version: '2.0.0', id, chainId: numberToHex(chainId), atomic: true }
    if (receipt === null) return { ...base, status: 100 }
    return { ...base, status: receipt.status === '0x1' ? 200 : 500, receipts: [receipt] }
  }

  return {
    async request({ method, params = [] }) {
      switch (method) {
        case 'wallet_getCapabilities':
          return { [numberToHex(chainId)]: { atomic: { status } } }
        case 'wallet_sendCalls':
          return send(params[0] as SendCalls)
        case 'wallet_getCallsStatus':
          return find(params[0])
      }
      return node(method, params)
    },
  }
}

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
