/** How the chain is followed. */
export type SyncSettings = {
  /** The first block that can hold an event of the contracts. */
  deployBlock: number
  /** How many blocks a reorganisation may undo without reading everything behind them again. */
  reorgWindow: number
  /** How many of the newest blocks are read one by one, which shows what is missing; by default 1,000. */
  readSingly?: number
  /** Between two looks at the node, in milliseconds. */
  intervalMs: number
  /** From this age of the newest block on, in seconds, the service says that it is degraded. */
  headDegradedSeconds: number
  /** From this age on, in seconds, it takes no new quotes and opens no auctions. */
  headStaleSeconds: number
}
