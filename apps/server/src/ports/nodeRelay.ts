/** A JSON-RPC request without its envelope. */
export type NodeCall = { method: string; params?: unknown }

/** What a node says to a request: a result, or an error in its own words. */
export type NodeAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** Passes a request on to the node, once; null when the node does not answer. Never throws. */
export type NodeRelay = (call: NodeCall) => Promise<NodeAnswer | null>
