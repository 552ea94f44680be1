import { http, injected } from 'wagmi'

/** While developing, in place of a wallet: an account of the chain of `npm start`, for which the chain's node signs. */
export function demoAccount() {
  const address = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'
  const node = http('/node')({})
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    method === 'eth_accounts' || method === 'eth_requestAccounts'
      ? Promise.resolve([address])
      : node.request({ method, params })
  // Its account and its chain never change.
  const provider = { request, on: () => {}, removeListener: () => {} }
  return injected({ target: { id: 'demo', name: 'Demo account', provider: provider as never } })
}
