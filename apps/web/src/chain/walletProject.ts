/** The metadata by which the app identifies itself to remote wallets. */
export type WalletProject = {
  /** The operator's WalletConnect project id. */
  projectId: string
  /** A one-line description in the visitor's language. */
  about: string
}
