import { RpcError, rpcCodes } from './rpcError.ts'

/** The name of a call on its line, given by whoever calls. */
export type RpcId = string | number | null

/** One request; without an id it is a notification, which is never answered. */
export type RpcCall = { id: RpcId | undefined; method: string; params: unknown }

const members = new Set(['jsonrpc', 'id', 'method', 'params'])

/** Reads one request (JSON-RPC 2.0, section 4). A refusal carries the id if that can be read, so that it finds home. */
export function readRequest(message: unknown): { ok: true; call: RpcCall } | { ok: false; id: RpcId; error: RpcError } {
  if (!isObject(message)) return refuse(null, 'A request is an object.')
  // JSON.parse makes every member the object's own, also one named `__proto__`.
  const { id, jsonrpc, method, params } = message
  if (id !== undefined && !isId(id)) {
    return refuse(null, 'The id is a string, null, or a number that JSON brings back as it was.')
  }
  if (jsonrpc !== '2.0') return refuse(id, 'A request says "jsonrpc": "2.0".')
  if (typeof method !== 'string') return refuse(id, 'A request names its method, a string.')
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return refuse(id, 'The params are an object or an array, or left out.')
  }
  if (Object.keys(message).some((key) => !members.has(key))) {
    return refuse(id, `A request has no other members than ${[...members].join(', ')}.`)
  }
  return { ok: true, call: { id, method, params } }
}

function refuse(id: RpcId | undefined, message: string) {
  return { ok: false, id: id ?? null, error: new RpcError(rpcCodes.invalidRequest, message) } as const
}

function isObject(value: unknown): value is { [key: string]: unknown } & Partial<Record<keyof RpcCall, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An integer beyond 2^53 would come back as another number, and its answer find nobody. */
function isId(value: unknown): value is RpcId {
  if (typeof value !== 'number') return typeof value === 'string' || value === null
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
