import { useTexts } from '../copy/words.ts'
import { Button } from './Button.tsx'

/** Element id of the wallet menu in the header. */
export const walletMenuId = 'wallet-menu'

/** Closes the wallet menu. In browsers without popovers, the menu is always open. */
export function closeWalletMenu(): void {
  document.getElementById(walletMenuId)?.hidePopover?.()
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
