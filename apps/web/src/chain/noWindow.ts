/** Stands in the build for the window of WalletConnect's SDK, which opens none: `showQrModal` is false. */
export function createAppKit(): never {
  throw new Error('The page shows the code by itself.')
}
