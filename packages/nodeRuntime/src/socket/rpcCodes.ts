/** JSON-RPC error code for a connection over the limit. */
export const tooManyConnectionsCode = -32_012
