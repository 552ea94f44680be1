// This file is longer than 300 lines because every method of the public class has an example.

import type {
  AccountPositions,
  CurrentRate,
  PoolFilters,
  PoolRates,
  PositionFilters,
  QuoteFilters,
  QuotePage,
  RateHistory,
  RateHistoryFilters,
  RFQObservation,
  RFQRequest,
  RFQResult,
  RfqId,
  ServiceConfig,
  ServiceHealth,
  StoredQuote,
} from '@firmquote/core'
import { parseEventId } from '@firmquote/core/protocol'
import { type Clock, systemClock } from '@firmquote/core/utils'
import { type Address, bytesToHex, type Hex } from 'viem'
import type { WebSocketConstructor } from './backer/webSocketLike.ts'
import { checkCallOptions, checkEnvironment } from './checkOptions.ts'
import { type ClientConfig, checkedAddress, type GivenConfig, resolveClientConfig } from './clientConfig.ts'
import { InvalidInputError } from './coreErrors.ts'
import { rfqId as rfqIdShape } from './generated/decoders.ts'
import * as endpoints from './generated/endpoints.ts'
import type { CallOptions } from './http/callGuard.ts'
import { encodeRfqRequest } from './http/clientEndpoint.ts'
import { createHttpTransport, type HttpTransport } from './http/httpTransport.ts'
import { checkResult } from './http/judgeAuction.ts'
import { type RFQAuctionEvent, type StreamOptions, streamRfq } from './http/rfqStream.ts'
/** Options for a client. All are optional. */
export type ServiceClientOptions = {
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /**
   * Default: the global `WebSocket`. Node versions before 22 have no global `WebSocket`: pass the class from the `ws`
   * package.
   */
  WebSocket?: WebSocketConstructor | undefined
  /** Timeout of a call in milliseconds, unless the call sets its own. Default 10 000. */
  timeoutMs?: number | undefined
  /** Timeout in milliseconds for `requestQuotes`, which waits for the auction to close. Default 60 000. */
  auctionTimeoutMs?: number | undefined
  /**
   * An integrator's API key, issued by the operator. Auctions and reads count against the key's quotas. Keep it on the
   * server, never in a web page.
   */
  apiKey?: string | undefined
  clock?: Clock | undefined
  random?: (() => number) | undefined
}

/** Options for calls that open an auction. */
export type AuctionOptions = {
  /**
   * Ensures that a repeated request opens only one auction, even in another call or after a restart. A key consists of
   * 22 to 128 random characters from `A-Z a-z 0-9 - _`. Keep the key secret and use it for one request only. The
   * service remembers the key for 24 hours. By default, each call uses a new key.
   */
  idempotencyKey?: string | undefined
  /** The caller's trace context (W3C `traceparent`). If the service records traces, its trace continues this one. */
  traceparent?: string | undefined
}

/**
 * Options for following a stream. `lastEventId` is the `id` of the last event received that has one, other than `done`.
 * The stream resumes after it.
 */
export type FollowOptions = StreamOptions & { lastEventId?: string | undefined }

/**
 * Selects positions by status: `open` (the default), `settled` or `all`. `limit` is the page size, at most 500.
 * `cursor` is the previous page's `nextCursor`.
 */
export type PositionOptions = Pick<PositionFilters, 'status' | 'limit' | 'cursor'>

/** Returns a client's transport, for `ServiceClient`. Private fields are out of a subclass's reach. */
export let transportOf: (client: BorrowerClient) => HttpTransport

/**
 * A client for a quote service without a maker's signer and channel, which makes it half as large in a web page. For
 * borrowers and for displays.
 *
 * Every call accepts `signal` and `timeoutMs`. Calls throw subclasses of `BaseError`: `ServiceError` if the service
 * rejects the request, otherwise `ConnectionError`, `TimeoutError`, `AbortedError` or `InvalidResponseError`. Only
 * reads, and auctions with an idempotency key, are retried automatically. Before the first call, the client reads the
 * service's configuration: if its chain or contracts differ, calls throw an `InvalidInputError` that shows both.
 *
 * @example
 * ```ts
 * const client = new BorrowerClient({ orderbookUrl })
 * const { quotes } = await client.requestQuotes({ poolId, expiry, notional })
 * ```
 */
export class BorrowerClient {
  readonly #config: ClientConfig
  readonly #options: ServiceClientOptions
  readonly #http: HttpTransport

  static {
    transportOf = (client) => client.#http
  }

  /** @throws {InvalidInputError} if the configuration or an option is malformed. */
  constructor(config: GivenConfig = {}, given: ServiceClientOptions = {}) {
    this.#config = resolveClientConfig(config)
    const options = checkEnvironment(given)
    this.#options = options
    this.#http = createHttpTransport({
      baseUrl: this.#config.orderbookUrl,
      market: this.#config,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      timeoutMs: options.timeoutMs ?? 10_000,
      apiKey: options.apiKey,
    })
  }

  /**
   * Returns a copy of the resolved configuration. Sends no request.
   *
   * @example
   * ```ts
   * new BorrowerClient().getConfig().orderbookUrl // 'http://localhost:3005'
   * ```
   */
  getConfig(): ClientConfig {
    return { ...this.#config }
  }

  /**
   * Runs an auction and returns its result after the close. The request carries an idempotency key, so it opens only
   * one auction even if retried after a broken connection or a service restart. To get quotes as they arrive, use
   * `streamQuotes`.
   *
   * @throws {InvalidInputError} if the request or an option is malformed.
   * @example
   * ```ts
   * const { quotes } = await client.requestQuotes({ poolId, expiry, notional })
   * for (const { quote, apr } of quotes) console.log(`${quote.maker} at ${formatRate(apr)}`)
   * ```
   */
  async requestQuotes(request: RFQRequest, options: CallOptions & AuctionOptions = {}): Promise<RFQResult> {
    const body = encodeRfqRequest(endpoints.requestQuotes, request)
    const checked = checkCallOptions(options)
    const { signal, timeoutMs = this.#options.auctionTimeoutMs ?? 60_000, traceparent } = checked
    const input = { body, traceparent, idempotencyKey: checked.idempotencyKey ?? createKey() }
    return checkResult(await this.#http.call(endpoints.requestQuotes, input, { signal, timeoutMs }), body)
  }

  /**
   * Opens an auction on the first iteration. Yields `started`, every `quote` as it arrives, and `done`, each once and
   * in order, even if the connection breaks or the service restarts. In between, `progress` events count the makers
   * that have answered. Leaving the loop ends the request but not the auction: `followAuction` yields the remaining
   * events, and `getRfq` the result.
   *
   * @throws {InvalidInputError} immediately, if the request or an option is malformed.
   * @throws {StreamError} `STREAM_INTERRUPTED` from the loop, if the stream could not be resumed. The error contains
   * the `rfqId`.
   * @example
   * ```ts
   * for await (const event of client.streamQuotes({ poolId, expiry, notional })) {
   *   if (event.type === 'started') console.log(`sent to ${event.data.backers} backers`)
   *   if (event.type === 'quote') console.log(`${event.data.quote.maker} at ${formatRate(event.data.apr)}`)
   *   if (event.type === 'progress') console.log(`${event.data.answered} of ${event.data.expected} have answered`)
   *   if (event.type === 'done') console.log(`${event.data.quoteCount} quotes`)
   * }
   * ```
   */
  streamQuotes(
    request: RFQRequest,
    options: StreamOptions & AuctionOptions = {},
  ): AsyncGenerator<RFQAuctionEvent, void, undefined> {
    const body = encodeRfqRequest(endpoints.streamQuotes, request)
    const { idempotencyKey: key = createKey(), traceparent, ...checked } = checkCallOptions(options)
    return streamRfq(this.#http, { body, key, traceparent }, checked)
  }

  /**
   * Yields an open or closed auction's events, given the borrower's secret id. Starts after `lastEventId`, or at the
   * beginning if it is omitted. Like `streamQuotes`, yields each event once and in order, except that `progress` events
   * are best effort.
   *
   * @throws {InvalidInputError} immediately, if the id is malformed, or `lastEventId` belongs to another auction.
   * @throws {ServiceError} `RFQ_NOT_FOUND` from the loop, if the auction does not exist.
   * @throws {StreamError} `STREAM_INTERRUPTED` from the loop, if the stream could not be resumed.
   * @example
   * ```ts
   * for await (const event of client.followAuction(result.rfqId)) {
   *   if (event.type === 'quote') console.log(event.id, event.data.hash)
   * }
   * ```
   */
  followAuction(rfqId: RfqId, options: FollowOptions = {}): AsyncGenerator<RFQAuctionEvent, void, undefined> {
    const checkedId = rfqIdShape(rfqId, 'rfqId')
    const { lastEventId, ...checked } = checkCallOptions(options)
    return streamRfq(this.#http, { rfqId: checkedId, seq: placeOf(lastEventId, checkedId) }, checked)
  }

  /**
   * Reads an auction's current result, given the borrower's secret id. Use `toRfqId` to convert a stored string.
   *
   * @example
   * ```ts
   * const { status, quotes } = await client.getRfq(result.rfqId)
   * status // 'closed'
   * ```
   */
  async getRfq(rfqId: RfqId, options: CallOptions = {}): Promise<RFQResult> {
    return checkResult(await this.#http.call(endpoints.getAuction, { parameters: { rfqId } }, options))
  }

  /**
   * Lists quotes from recent auctions, newest first. For discovery only. `limit` is at most 100.
   *
   * @param filters Only quotes of this pool or series, and at most `limit` quotes.
   * @example
   * ```ts
   * const seen = await client.getRecentQuotes({ poolId, limit: 10 })
   * for (const { maker, apr } of seen) console.log(`${maker} at ${formatRate(apr)}`)
   * ```
   */
  async getRecentQuotes(
    filters: { poolId?: Hex; seriesKey?: Hex; limit?: number } = {},
    options: CallOptions = {},
  ): Promise<RFQObservation[]> {
    return (await this.#http.call(endpoints.listObservations, { query: filters }, options)).quotes
  }

  /**
   * Lists a page of active published quotes. With `maker` and another `status`, lists that maker's quotes with that
   * status. A page may contain fewer quotes than `limit`, or none, even if it is not the last. `nextCursor` is null on
   * the last page.
   *
   * @example
   * ```ts
   * const { quotes, nextCursor } = await client.getQuoteMarketQuotes({ poolId, sort: 'rate', limit: 20 })
   * if (nextCursor !== null) await client.getQuoteMarketQuotes({ poolId, sort: 'rate', limit: 20, cursor: nextCursor })
   * ```
   */
  async getQuoteMarketQuotes(filters: QuoteFilters = {}, options: CallOptions = {}): Promise<QuotePage> {
    return this.#http.call(endpoints.listQuotes, { query: filters }, options)
  }

  /**
   * Reads one stored quote by its hash, active or not.
   *
   * @param hash The quote's EIP-712 digest.
   * @example
   * ```ts
   * const { hash } = await client.submitQuoteMarketQuote(serializeSignedQuote(signed))
   * const { status, apr, effectiveApy } = await client.getQuoteMarketQuote(hash)
   * status // 'active'
   * ```
   */
  async getQuoteMarketQuote(hash: Hex, options: CallOptions = {}): Promise<StoredQuote> {
    return this.#http.call(endpoints.getQuote, { parameters: { hash } }, options)
  }

  /**
   * Lists the pools with their active series, best rates and depth. Rates and depth are for a loan of `notional` raw
   * units of the loan token. The default notional is 1 % of each series' remaining capacity.
   *
   * @example
   * ```ts
   * for (const { loanToken, floating, series } of await client.getPoolRates()) {
   *   console.log(`${loanToken.symbol}: ${formatRate(floating.apy)} floating`)
   *   for (const { expiry, bestEffectiveApy } of series) console.log(formatTimestamp(expiry), bestEffectiveApy)
   * }
   * ```
   */
  async getPoolRates(filters: PoolFilters = {}, options: CallOptions = {}): Promise<PoolRates[]> {
    return (await this.#http.call(endpoints.getPoolRates, { query: filters }, options)).pools
  }

  /**
   * Lists the floating rates of the underlying lending markets.
   *
   * @example
   * ```ts
   * for (const { protocol, market, apy } of await client.getMarkets()) console.log(protocol, market, formatRate(apy))
   * ```
   */
  async getMarkets(options: CallOptions = {}): Promise<CurrentRate[]> {
    return (await this.#http.call(endpoints.getCurrentRates, {}, options)).rates
  }

  /**
   * Reads the history of a pool's floating and fixed rates, by default for the last 365 days. Floating rates are hourly,
   * or daily for ranges of more than 2,000 hours. A day's `fills` give the median rate fixed on-chain, weighted by
   * notional; `offer` is the best public offer that stood for at least 30 blocks. `from` and `to` are Unix
   * seconds.
   *
   * @example
   * ```ts
   * const to = Math.floor(Date.now() / 1000)
   * const { floating, fixed } = await client.getRateHistory({ poolId, from: to - 7 * 86_400, to })
   * ```
   */
  async getRateHistory(filters: RateHistoryFilters, options: CallOptions = {}): Promise<RateHistory> {
    return this.#http.call(endpoints.getRateHistory, { query: filters }, options)
  }

  /**
   * Reads an account's debts on the pools' lending markets, its withdrawable credits, and a page of its fixed-rate
   * positions as maker or borrower. By default, only open positions are returned (see `status`).
   *
   * @param account The borrower or maker.
   * @throws {InvalidInputError} if the address is malformed.
   * @example
   * ```ts
   * const { debts, positions, nextCursor } = await client.getPositions(account.address, { status: 'all', limit: 100 })
   * for (const { debt, loanToken } of debts) console.log(loanToken, debt)
   * ```
   */
  async getPositions(account: Address, given: CallOptions & PositionOptions = {}): Promise<AccountPositions> {
    const { status, limit, cursor, ...options } = checkCallOptions(given)
    const query = {
      address: checkedAddress(account, 'address'),
      ...(status !== undefined && { status }),
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    }
    return this.#http.call(endpoints.getPositions, { query }, options)
  }

  /**
   * Reads the service's health. Returns a result even if the service reports that it is unavailable (status 503).
   *
   * @example
   * ```ts
   * const { status } = await client.getHealth()
   * status // 'ok'
   * ```
   */
  async getHealth(options: CallOptions = {}): Promise<ServiceHealth> {
    return this.#http.call(endpoints.getHealth, {}, options)
  }

  /**
   * Reads the service's configuration: its chain, contracts and limits. Compare them with `getConfig()`.
   *
   * @example
   * ```ts
   * const { chainId, contracts } = await client.getServiceConfig()
   * chainId === client.getConfig().chainId // true
   * contracts.quoteMarket === client.getConfig().quoteMarketAddress // true
   * ```
   */
  async getServiceConfig(options: CallOptions = {}): Promise<ServiceConfig> {
    return this.#http.call(endpoints.getConfig, {}, options)
  }
}

function createKey(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
}

function placeOf(lastEventId: string | undefined, rfqId: RfqId): number {
  if (lastEventId === undefined) return -1
  const place = typeof lastEventId === 'string' ? parseEventId(lastEventId) : null
  if (place?.rfqId === rfqId) return place.seq
  throw new InvalidInputError('must be the id of an event of this auction.', { path: 'lastEventId' })
}
