import { useTexts } from '../copy/words.ts'
import { Button } from './Button.tsx'

/** The element id of the wallet menu in the header. */
export const walletMenuId = 'wallet-menu'

/** Older browsers have no popovers. There the menu is always open. */
export function closeWalletMenu(): void {
  document.getElementById(walletMenuId)?.hidePopover?.()
}

/** Opens the wallet menu, for places that need a wallet. */
export function ConnectButton() {
  const { common } = useTexts()
  return (
    <Button look="main" popoverTarget={walletMenuId} aria-haspopup="true">
      {common.connectWallet}
    </Button>
  )
}
