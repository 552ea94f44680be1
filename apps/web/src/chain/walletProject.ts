/** As what the page stands before wallets that are reached over their makers' servers. */
export type WalletProject = {
  /** The operator's, of WalletConnect. */
  projectId: string
  /** One line, in the visitor's language. */
  about: string
}
