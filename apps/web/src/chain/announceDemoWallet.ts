import { http, MethodNotSupportedRpcError } from 'viem'
import type { PageSettings } from '../service/pageSettings.ts'

const icon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="7" fill="%238a5200"/%3E%3Cpath d="M9 16h14M16 9v14" stroke="white" stroke-width="3"/%3E%3C/svg%3E'

const permission = 'firmquote.demo'

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
        return page.localStorage.getItem(permission) === null ? [] : [account]
      case 'eth_requestAccounts':
        page.localStorage.setItem(permission, 'given')
        return [account]
      case 'wallet_revokePermissions':
        page.localStorage.removeItem(permission)
        return null
      case 'wallet_requestPermissions':
        throw new MethodNotSupportedRpcError(new Error('The demo account has no permissions to choose from.'))
      default:
        return node.request({ method, params })
    }
  }
  // Its account and its chain never change, so nothing is ever emitted.
  const provider = { request, on: () => {}, removeListener: () => {} }
  const info = Object.freeze({ uuid: crypto.randomUUID(), name: 'Demo account', rdns: 'local.firmquote.demo', icon })
  const announce = () => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  }
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
