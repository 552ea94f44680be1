import { Button } from './Button.tsx'

/** The element id of the wallet menu, which the header holds. */
export const walletMenuId = 'wallet-menu'

/** Opens the wallet menu from where a wallet is missed. */
export function ConnectButton() {
  return (
    <Button look="main" popoverTarget={walletMenuId} aria-haspopup="true">
      Connect a wallet
    </Button>
  )
}
