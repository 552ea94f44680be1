/** Replaces the window of WalletConnect's SDK in the build. It is never opened, since `showQrModal` is false. */
export function createAppKit(): never {
  throw new Error('WalletConnect opens no window here; the web app shows the code.')
}
