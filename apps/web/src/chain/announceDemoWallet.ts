import { http, MethodNotSupportedRpcError } from 'viem'
import { lastingStorage } from '../service/browserStorage.ts'
import type { PageSettings } from '../service/pageSettings.ts'

const icon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="7" fill="%238a5200"/%3E%3Cpath d="M9 16h14M16 9v14" stroke="white" stroke-width="3"/%3E%3C/svg%3E'

/** By which wagmi knows it. */
export const demoWalletId = 'local.firmquote.demo'

const permission = 'firmquote.demo'

// Not a random one: over plain HTTP from another machine, browsers have no `crypto.randomUUID`.
const uuid = '0e3cf5d8-7f0a-4d6a-9d0c-5b1f6a8c2e47'

/**
 * Announces a wallet that plays one account of the devnet, as any other wallet announces itself (EIP-6963). It holds no
 * key: the devnet's node signs for its own accounts.
 */
export function announceDemoWallet(page: Window, { rpcUrl, account }: NonNullable<PageSettings['devnet']>): void {
  const node = http(rpcUrl)({})
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    switch (method) {
      // As with any wallet, the page sees the account once the visitor has asked for it.
      case 'eth_accounts':
        return lastingStorage.getItem(permission) === null ? [] : [account]
      case 'eth_requestAccounts':
        lastingStorage.setItem(permission, 'given')
        return [account]
      case 'wallet_revokePermissions':
        lastingStorage.removeItem(permission)
        return null
      case 'wallet_requestPermissions':
        throw new MethodNotSupportedRpcError(new Error('The demo account has no permissions to choose from.'))
      default:
        return node.request({ method, params })
    }
  }
  // Its account and its chain never change, so nothing is ever emitted.
  const provider = { request, on: () => {}, removeListener: () => {} }
  const info = Object.freeze({ uuid, name: 'Demo account', rdns: demoWalletId, icon })
  const announce = () => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  }
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
