/** Replaces the window of WalletConnect's SDK in the build. It is never opened, since `showQrModal` is false. */
export function createAppKit(): never {
  throw new Error('The window of WalletConnect's SDK is disabled; the web app shows the code.')
}
