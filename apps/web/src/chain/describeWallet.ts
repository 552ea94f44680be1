import { oneLine } from '@firmquote/react'

/** How a wallet is shown: its name and icon are untrusted input. */
export type WalletLook = { name: string; icon: string | null }

/**
 * What of a wallet's own words is shown (EIP-6963): its name as one short line, and its icon where it is an image that
 * lies in the announcement itself, so that nothing is fetched for it; the name is empty where nothing is left of it. Pure.
 */
export function describeWallet({ name, icon }: { name: string; icon?: string | undefined }): WalletLook {
  return { name: oneLine(name, 40), icon: icon?.startsWith('data:image/') ? icon : null }
}
