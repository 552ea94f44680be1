import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import { type Address, keccak256, maxUint256, numberToHex, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

/** tUSD of each maker, raw units of 6 decimals: more than all quotes of a run together. */
const balance = 1_000_000_000_000_000n

/** Creates accounts that are the same on every run. Their keys are public: they are worth nothing on any other chain. */
export function createBenchMakers(count: number): DevnetAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const privateKey = keccak256(stringToHex(`firmquote bench maker ${index}`))
    return { address: privateKeyToAddress(privateKey), privateKey }
  })
}

/** Gives every maker loan tokens and an allowance for the quote market, by the node's test methods and in few requests. */
export async function fundMakers({ rpcUrl, contracts }: Devnet, makers: readonly Address[]): Promise<void> {
  const { loanToken, quoteMarket } = contracts
  const calls = makers.flatMap((maker) => [
    { method: 'anvil_dealERC20', params: [maker, loanToken, numberToHex(balance)] },
    { method: 'anvil_setERC20Allowance', params: [maker, quoteMarket, loanToken, numberToHex(maxUint256)] },
  ])
  for (let start = 0; start < calls.length; start += 200) await sendBatch(rpcUrl, calls.slice(start, start + 200))
  await sendBatch(rpcUrl, [{ method: 'evm_mine', params: [] }])
}

async function sendBatch(rpcUrl: string, calls: readonly { method: string; params: readonly unknown[] }[]) {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const results = (await answer.json()) as { error?: { message: string } }[]
  const failed = results.find(({ error }) => error)
  if (failed?.error) throw new TypeError(`The makers could not be funded: ${failed.error.message}`)
}
