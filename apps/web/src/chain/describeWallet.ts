/** How a wallet is shown: what it says of itself is a stranger's word. */
export type WalletLook = { name: string; icon: string | null }

const longestName = 40

/**
 * What of a wallet's own words is shown (EIP-6963): its name as one short line, and its icon where it is an image that
 * lies in the announcement itself, so that nothing is fetched for it. Pure.
 */
export function describeWallet({ name, icon }: { name: string; icon?: string | undefined }): WalletLook {
  // Control characters, and those that turn the direction of the text around them.
  const line = name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  const letters = [...line]
  const shown = letters.length > longestName ? `${letters.slice(0, longestName).join('')}…` : line
  return { name: shown || 'A wallet without a name', icon: icon?.startsWith('data:image/') ? icon : null }
}
