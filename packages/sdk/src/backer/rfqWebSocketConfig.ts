import { type Clock, InvalidInputError, isSequenceNumber, systemClock } from '@firmquote/core'
import type { Address } from 'viem'
import { checkEnvironment, checkTimeout } from '../checkOptions.ts'
import { checkedAddress, checkedChainId } from '../clientConfig.ts'
import type { BackerConnectionConfig } from './backerConnection.ts'
import type { BackerSigner } from './backerSigner.ts'
import { globalWebSocket, type WebSocketConstructor } from './webSocketLike.ts'

/** The configuration of a backer's channel. Times in milliseconds. */
export type RFQWebSocketConfig = {
  /** `wss://…/ws/rfq`; `ws://` only to this machine. */
  url: string
  signer: BackerSigner
  chainId: number
  quoteMarketAddress: Address
  /** The audience that the service's challenge must name, if not `url`: with a load balancer in between. */
  audience?: string | undefined
  /** Default: the runtime's own. Node before 22 has none: pass the one of the package `ws`. */
  WebSocket?: WebSocketConstructor | undefined
  clock?: Clock | undefined
  random?: (() => number) | undefined
  /** From opening the socket to being authenticated. Default 15 000. */
  connectTimeoutMs?: number | undefined
  /** For the acknowledgement of a quote, also over another connection and by sending it again. Default 25 000. */
  ackTimeoutMs?: number | undefined
  /** Between two pings. Default 15 000. */
  pingIntervalMs?: number | undefined
  /** After a ping, for any message to arrive. Default 5 000. */
  pongTimeoutMs?: number | undefined
  /**
   * The `seq` of the last `quote_status` that was handled before, perhaps by another process: what came after it is handed out
   * first, as far as the service keeps it (72 hours). 0 for all. Default: what comes from the first connection on.
   */
  resumeFrom?: number | undefined
  /** Asks for traces: while the service writes them, an RFQ has a `traceparent`, which a quote can go on from. Default false. */
  traces?: boolean | undefined
}

/** A channel's configuration with every default filled in. */
export type ResolvedChannel = BackerConnectionConfig & {
  random: () => number
  ackTimeoutMs: number
  resumeFrom: number | null
}

/**
 * Fills in the defaults and checks what was given.
 *
 * @throws {InvalidInputError} when a field is malformed.
 * @throws {WebSocketMissingError} when the runtime has no WebSocket and none is given.
 */
export function resolveChannel(given: RFQWebSocketConfig): ResolvedChannel {
  const config = checkEnvironment(given)
  if (config.signer === undefined || config.signer === null) {
    throw new InvalidInputError('is missing.', { path: 'signer' })
  }
  for (const name of ['connectTimeoutMs', 'ackTimeoutMs', 'pingIntervalMs', 'pongTimeoutMs'] as const) {
    checkTimeout(config[name], name)
  }
  const { resumeFrom } = config
  if (resumeFrom !== undefined && !isSequenceNumber(resumeFrom)) {
    throw new InvalidInputError('must be a whole number from 0 on.', { path: 'resumeFrom', given: resumeFrom })
  }
  const { traces = false } = config
  if (typeof traces !== 'boolean')
    throw new InvalidInputError('must be true or false.', { path: 'traces', given: traces })
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
    ackTimeoutMs: config.ackTimeoutMs ?? 25_000,
    pingIntervalMs: config.pingIntervalMs ?? 15_000,
    pongTimeoutMs: config.pongTimeoutMs ?? 5_000,
    resumeFrom: resumeFrom ?? null,
    traces,
  }
}

function checkedChannelUrl(text: string, path: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^wss?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new InvalidInputError('must be a ws or wss URL without credentials, query or fragment.', { path })
  }
  return url.href
}
