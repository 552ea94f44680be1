import { type Clock, InvalidInputError, systemClock } from '@firmquote/core'
import type { Address } from 'viem'
import { checkedAddress, checkedChainId } from '../clientConfig.ts'
import type { BackerLineConfig } from './backerLine.ts'
import type { BackerSigner } from './backerSigner.ts'
import { globalWebSocket, type WebSocketConstructor } from './webSocketLike.ts'

/** What a backer's channel is made of. Times in milliseconds. */
export type RFQWebSocketConfig = {
  /** `wss://…/ws/rfq`; `ws://` only to this machine. */
  url: string
  signer: BackerSigner
  chainId: number
  quoteMarketAddress: Address
  /** Whom the service must say that it is, if not `url`: for a balancer in between. */
  audience?: string | undefined
  /** Default: the runtime's own. Node before 22 has none: pass the one of the package `ws`. */
  WebSocket?: WebSocketConstructor | undefined
  clock?: Clock | undefined
  random?: (() => number) | undefined
  /** From dialling to being authenticated. Default 15 000. */
  connectTimeoutMs?: number | undefined
  /** For the acknowledgement of a quote. Default 10 000. */
  ackTimeoutMs?: number | undefined
  /** Between two pings. Default 15 000. */
  pingIntervalMs?: number | undefined
  /** After a ping, for anything to come. Default 5 000. */
  pongTimeoutMs?: number | undefined
}

/** Everything that a channel runs on. */
export type ResolvedChannel = BackerLineConfig & { random: () => number; ackTimeoutMs: number }

/**
 * Fills in the defaults and checks what was given.
 *
 * @throws {InvalidInputError} when a field is malformed.
 * @throws {WebSocketMissingError} when the runtime has no WebSocket and none is given.
 */
export function resolveChannel(config: RFQWebSocketConfig): ResolvedChannel {
  const url = checkedChannelUrl(config.url, 'url')
  return {
    url,
    audience: config.audience === undefined ? url : checkedChannelUrl(config.audience, 'audience'),
    signer: config.signer,
    chainId: checkedChainId(config.chainId),
    quoteMarketAddress: checkedAddress(config.quoteMarketAddress, 'quoteMarketAddress'),
    WebSocket: config.WebSocket ?? globalWebSocket(),
    clock: config.clock ?? systemClock,
    random: config.random ?? Math.random,
    connectTimeoutMs: config.connectTimeoutMs ?? 15_000,
    ackTimeoutMs: config.ackTimeoutMs ?? 10_000,
    pingIntervalMs: config.pingIntervalMs ?? 15_000,
    pongTimeoutMs: config.pongTimeoutMs ?? 5_000,
  }
}

function checkedChannelUrl(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^wss?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new InvalidInputError('must be a ws or wss URL without credentials, query or fragment.', { path })
  }
  return url.href
}
