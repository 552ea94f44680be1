import { oneLine } from '@firmquote/react'

/** A wallet's displayed name and icon, which are untrusted input. */
export type WalletLook = { name: string; icon: string | null }

/**
 * Cleans a wallet's own name and icon (EIP-6963): the name as one short line, the icon only if it is a `data:` image,
 * so that displaying it fetches nothing. The name may become empty. Pure.
 */
export function describeWallet({ name, icon }: { name: string; icon?: string | undefined }): WalletLook {
  return { name: oneLine(name, 40), icon: icon?.startsWith('data:image/') ? icon : null }
}
