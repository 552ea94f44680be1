import { http, injected } from 'wagmi'

/** While developing, in place of a wallet: an account of the chain of `npm start`, for which the chain's node signs. */
export function demoAccount() {
  const address = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'
  const node = http('/devnet/rpc')({})
  let isConnected = false
  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (method === 'eth_requestAccounts') isConnected = true
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return isConnected ? [address] : []
    return node.request({ method, params })
  }
  // Its account and its chain never change.
  const provider = { request, on: () => {}, removeListener: () => {} }
  return injected({ target: { id: 'demo', name: 'Demo account', provider: provider as never } })
}
