import { isSequenceNumber } from '@firmquote/core/protocol'
import { type Clock, systemClock } from '@firmquote/core/utils'
import type { Address } from 'viem'
import { checkEnvironment, checkTimeout } from '../checkOptions.ts'
import { checkedAddress, checkedChainId, checkedUrl } from '../clientConfig.ts'
import { InvalidInputError } from '../coreErrors.ts'
import type { BackerConnectionConfig } from './backerConnection.ts'
import type { BackerSigner } from './backerSigner.ts'
import { globalWebSocket, type WebSocketConstructor } from './webSocketLike.ts'

/** The configuration of a backer's channel. Times are in milliseconds. */
export type RFQWebSocketConfig = {
  /** `wss://…/ws/rfq`. `ws://` is allowed for local hosts only. */
  url: string
  signer: BackerSigner
  chainId: number
  quoteMarketAddress: Address
  /**
   * The audience that the service's challenge must name. Default: `url`. Set this option if the service is behind a
   * load balancer.
   */
  audience?: string | undefined
  /**
   * Default: the global `WebSocket`. Node versions before 22 have no global `WebSocket`: pass the class from the `ws`
   * package.
   */
  WebSocket?: WebSocketConstructor | undefined
  clock?: Clock | undefined
  random?: (() => number) | undefined
  /** Timeout from opening the socket to authentication. Default 15 000. */
  connectTimeoutMs?: number | undefined
  /** Timeout for a quote's acknowledgement, including reconnects and resends. Default 25 000. */
  ackTimeoutMs?: number | undefined
  /** Interval between pings. Default 15 000. */
  pingIntervalMs?: number | undefined
  /** How long to wait for any message after a ping. Default 5 000. */
  pongTimeoutMs?: number | undefined
  /**
   * The `seq` of the last `quote_status` that was handled, even by an earlier process. The client first receives all
   * later updates that the service still retains (for 72 hours). 0 replays all retained updates. By default, only
   * updates that follow the first connection are delivered.
   */
  resumeFrom?: number | undefined
  /**
   * Requests traces. If the service records traces, RFQs contain a `traceparent` that a quote can continue. Default
   * false.
   */
  traces?: boolean | undefined
  /**
   * Requests receipts, which a service that keeps a log signs. Keep them in a book of `@firmquote/sdk/proofs`. Default
   * false.
   */
  receipts?: boolean | undefined
}

/** A channel's configuration with all defaults applied. */
export type ResolvedChannel = BackerConnectionConfig & {
  random: () => number
  ackTimeoutMs: number
  resumeFrom: number | null
}

/**
 * Applies defaults and validates the configuration.
 *
 * @throws {InvalidInputError} if a field is malformed.
 * @throws {WebSocketMissingError} if the runtime has no WebSocket and none is given.
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
    throw new InvalidInputError('must be a non-negative integer.', { path: 'resumeFrom', given: resumeFrom })
  }
  const { traces = false, receipts = false } = config
  for (const [path, given] of Object.entries({ traces, receipts })) {
    if (typeof given !== 'boolean') throw new InvalidInputError('must be true or false.', { path, given })
  }
  const url = checkedUrl(config.url, 'url', 'ws')
  return {
    url,
    audience: config.audience === undefined ? url : checkedUrl(config.audience, 'audience', 'ws'),
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
    receipts,
  }
}
