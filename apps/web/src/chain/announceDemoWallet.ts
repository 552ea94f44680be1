import { type Address, http, MethodNotSupportedRpcError } from 'viem'
import { lastingStorage } from '../service/browserStorage.ts'
import type { WebAppSettings } from '../service/webAppSettings.ts'

type WalletRequest = { method: string; params?: unknown }
type DemoWallet = { name: string; rdns: string; uuid: string; account: Address }

const icon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="7" fill="%238a5200"/%3E%3Cpath d="M9 16h14M16 9v14" stroke="white" stroke-width="3"/%3E%3C/svg%3E'

// wagmi identifies wallets by `rdns`. The UUID is constant because `crypto.randomUUID` is unavailable over plain HTTP
// from another machine.
const plain = { name: 'Demo account', rdns: 'local.firmquote.demo', uuid: '0e3cf5d8-7f0a-4d6a-9d0c-5b1f6a8c2e47' }
const smart = {
  name: 'Demo smart account',
  rdns: 'local.firmquote.smart-demo',
  uuid: '7b2f9c14-3d58-4e0b-8a61-c94f0d2e6b35',
}

/** Whether this is a demo wallet, which cannot sign messages. */
export function isDemoWallet(id: string | undefined): boolean {
  return id === plain.rdns || id === smart.rdns
}

/**
 * Announces wallets for the devnet's accounts (EIP-6963). The demo wallets hold no keys, because the devnet's node
 * signs for its accounts. The first demo wallet sends one call at a time. The optional second demo wallet supports
 * batches (EIP-5792).
 */
export function announceDemoWallets(page: Window, devnet: NonNullable<WebAppSettings['devnet']>): void {
  const { rpcUrl, account, smartAccount } = devnet
  const node = http(rpcUrl)({})
  const ask = (call: WalletRequest): Promise<unknown> => node.request(call)
  announceWallet(page, { ...plain, account }, ask)
  if (smartAccount !== null)
    announceWallet(page, { ...smart, account: smartAccount }, batching(rpcUrl, smartAccount, ask))
}

/** Handles the `wallet_…` methods for batches. The code for these wallets is loaded on first use. */
function batching(rpcUrl: string, address: Address, ask: (call: WalletRequest) => Promise<unknown>): typeof ask {
  const methods = new Set(['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus'])
  return async ({ method, params }) => {
    if (!methods.has(method)) return ask({ method, params })
    const [{ createBatchWallet }, chainId] = await Promise.all([
      import('@firmquote/devnet/batchWallet'),
      ask({ method: 'eth_chainId' }),
    ])
    const wallet = createBatchWallet({ rpcUrl, chainId: Number(chainId) }, { address })
    return wallet.request({ method, params: params as readonly unknown[] | undefined })
  }
}

function announceWallet(
  page: Window,
  { account, ...named }: DemoWallet,
  ask: (call: WalletRequest) => Promise<unknown>,
): void {
  const permission = named.rdns.replace('local.', '')
  const request = async ({ method, params }: WalletRequest): Promise<unknown> => {
    switch (method) {
      // Like other wallets, a demo wallet reveals its account only after the visitor connects.
      case 'eth_accounts':
        return lastingStorage.getItem(permission) === null ? [] : [account]
      case 'eth_requestAccounts':
        lastingStorage.setItem(permission, 'given')
        return [account]
      case 'wallet_revokePermissions':
        lastingStorage.removeItem(permission)
        return null
      case 'wallet_requestPermissions':
        throw new MethodNotSupportedRpcError(new Error('The demo account does not support selecting permissions.'))
      default:
        return ask({ method, params })
    }
  }
  // The account and chain never change, so there are no events to emit.
  const provider = { request, on: () => {}, removeListener: () => {} }
  const info = Object.freeze({ ...named, icon })
  const announce = () => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  }
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
