import { http, injected } from 'wagmi'

/** During development, replaces a wallet by an account of the `npm start` chain, whose node signs for it. */
export function demoAccount() {
  const address = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'
  const node = http('/devnet/rpc')({})
  let isConnected = false
  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (method === 'eth_requestAccounts') isConnected = true
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return isConnected ? [address] : []
    return node.request({ method, params })
  }
  // The account and chain never change.
  const provider = { request, on: () => {}, removeListener: () => {} }
  return injected({ target: { id: 'demo', name: 'Demo account', provider: provider as never } })
}
