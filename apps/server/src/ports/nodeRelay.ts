/** A JSON-RPC request without its envelope. */
export type NodeCall = { method: string; params?: unknown }

/** A node's answer: a result, or its error as received. */
export type NodeAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** Relays a request to the node once; null when the node does not answer. Never throws. */
export type NodeRelay = (call: NodeCall) => Promise<NodeAnswer | null>
