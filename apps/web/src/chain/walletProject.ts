/** The metadata that identifies the app to remote wallets. */
export type WalletProject = {
  /** The operator's WalletConnect project id. */
  projectId: string
  /** One-line description in the visitor's language. */
  about: string
}
