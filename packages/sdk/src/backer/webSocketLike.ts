import { WebSocketMissingError } from '../errors.ts'

/**
 * The parts of `WebSocket` that the client uses. The global `WebSocket` (in browsers and Node 22 or later) and the `ws`
 * package's class match this type.
 */
export type WebSocketLike = {
  readonly readyState: number
  send(data: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open', listener: () => void): void
  addEventListener(type: 'error', listener: (event: { error?: unknown }) => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
}

/** The constructor of a {@link WebSocketLike}. */
export type WebSocketConstructor = new (url: string) => WebSocketLike

/** @throws {WebSocketMissingError} if this runtime has no WebSocket (Node before version 22). */
export function globalWebSocket(): WebSocketConstructor {
  if (typeof globalThis.WebSocket === 'undefined') throw new WebSocketMissingError()
  return globalThis.WebSocket
}
