import { oneLine } from '@firmquote/react'

/** A wallet's name and icon for display. */
export type WalletLook = { name: string; icon: string | null }

/**
 * Sanitizes the untrusted name and icon announced by a wallet (EIP-6963). Shortens the name to one line; the result may
 * be empty. Keeps the icon only if it is a `data:` image, so that displaying it sends no request. Pure.
 */
export function describeWallet({ name, icon }: { name: string; icon?: string | undefined }): WalletLook {
  return { name: oneLine(name, 40), icon: icon?.startsWith('data:image/') ? icon : null }
}
