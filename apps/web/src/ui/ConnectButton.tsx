import { useTexts } from '../copy/words.ts'
import { Button } from './Button.tsx'

/** The element id of the wallet menu, which the header holds. */
export const walletMenuId = 'wallet-menu'

/** Older browsers have no popovers: there the menu stands open. */
export function closeWalletMenu(): void {
  document.getElementById(walletMenuId)?.hidePopover?.()
}

/** Opens the wallet menu from where a wallet is missed. */
export function ConnectButton() {
  const { common } = useTexts()
  return (
    <Button look="main" popoverTarget={walletMenuId} aria-haspopup="true">
      {common.connectWallet}
    </Button>
  )
}
