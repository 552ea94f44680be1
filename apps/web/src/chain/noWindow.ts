/**
 * Replaces the WalletConnect SDK's modal in the build. The modal is never opened, because `showQrModal` is false.
 */
export function createAppKit(): never {
  throw new Error('The WalletConnect modal is not available. The web app shows the pairing code itself.')
}
