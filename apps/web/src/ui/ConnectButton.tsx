import { useTexts } from '../copy/words.ts'
import { Button } from './Button.tsx'

/** Element id of the wallet menu in the header. */
export const walletMenuId = 'wallet-menu'

/** Element id of the header's button, which shows the account. */
export const walletButtonId = 'wallet-button'

/**
 * Closes the wallet menu after connecting. Focuses the account's button, because the buttons that were pressed
 * disappear. In browsers without popovers, the menu is always open.
 */
export function closeWalletMenu(): void {
  document.getElementById(walletMenuId)?.hidePopover?.()
  document.getElementById(walletButtonId)?.focus({ preventScroll: true })
}

/** A button that opens the wallet menu, for content that needs a wallet. */
export function ConnectButton() {
  const { common } = useTexts()
  return (
    <Button look="main" popoverTarget={walletMenuId} aria-haspopup="true">
      {common.connectWallet}
    </Button>
  )
}
