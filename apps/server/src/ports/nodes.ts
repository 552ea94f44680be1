/** The node in use. */
export type NodeStatus = {
  /** The host name in the node's URL. Nodes with the same host name are numbered. */
  name: string
  /** Whether it is the first one in `RPC_URL`. */
  isPreferred: boolean
  /** Why it is in use: `preferred`, or why the node before it was left, as in `domain/chooseNode`. */
  reason: string
  /** Whether the nodes have different finalized blocks, so that none of them is believed. */
  disagrees: boolean
}
