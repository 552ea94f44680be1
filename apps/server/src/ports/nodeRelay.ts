/** A JSON-RPC request without its envelope. */
export type NodeCall = { method: string; params?: unknown }

/** The node's response: a result, or the error exactly as sent. */
export type NodeAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** Relays a request to the node, without retrying. Returns null if the node does not respond. Never throws. */
export type NodeRelay = (call: NodeCall) => Promise<NodeAnswer | null>
