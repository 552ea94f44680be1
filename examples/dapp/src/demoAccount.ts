import { http, injected } from 'wagmi'

/** For development: replaces the wallet with an account that the `npm start` chain's node signs for. */
export function demoAccount() {
  const address = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'
  const node = http('/devnet/rpc')({})
  let isConnected = false
  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (method === 'eth_requestAccounts') isConnected = true
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return isConnected ? [address] : []
    return node.request({ method, params })
  }
  // The account and chain never change, so there are no events to emit.
  const provider = { request, on: () => {}, removeListener: () => {} }
  return injected({ target: { id: 'demo', name: 'Demo account', provider: provider as never } })
}
