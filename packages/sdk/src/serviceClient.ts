import {
  type AccountPositions,
  type Clock,
  type CurrentRate,
  InvalidInputError,
  type MakerOutcomePage,
  type MakerQuoteFilters,
  type PageFilters,
  type PoolFilters,
  type PoolRates,
  type PositionFilters,
  parseEventId,
  type QuoteFilters,
  type QuoteMarketQuote,
  type QuotePage,
  type RateHistory,
  type RateHistoryFilters,
  type RFQObservation,
  type RFQRequest,
  type RFQResult,
  type RfqId,
  type SerializedSignedQuote,
  type ServiceConfig,
  type ServiceHealth,
  type StoredQuote,
  systemClock,
} from '@firmquote/core'
import type { Endpoint } from '@firmquote/core/endpoints'
import { type Account, type Address, bytesToHex, type Client, type Hex } from 'viem'
import { BackerSigner } from './backer/backerSigner.ts'
import { isSafeUrl } from './backer/isSafeUrl.ts'
import { createReadAuthorizations, type ReadAuthorizations } from './backer/readAuthorizations.ts'
import type { ConnectOptions } from './backer/reconnectingSocket.ts'
import { RFQWebSocketClient, type RFQWebSocketEvents } from './backer/rfqWebSocketClient.ts'
import type { RFQWebSocketConfig } from './backer/rfqWebSocketConfig.ts'
import type { WebSocketConstructor } from './backer/webSocketLike.ts'
import { checkCallOptions, checkEnvironment } from './checkOptions.ts'
import { backerChannelUrl, type ClientConfig, resolveClientConfig } from './clientConfig.ts'
import { ServiceError, SignerError } from './errors.ts'
import { address } from './generated/decoders.ts'
import * as endpoints from './generated/endpoints.ts'
import type { CallOptions } from './http/callGuard.ts'
import { type CallInput, encodeBody, encodeRfqRequest, type JsonEndpoint } from './http/clientEndpoint.ts'
import { createHttpTransport, type HttpTransport } from './http/httpTransport.ts'
import { checkResult } from './http/judgeAuction.ts'
import { type RFQAuctionEvent, type StreamOptions, streamRfq } from './http/rfqStream.ts'

/** The environment of a client; everything has a default. */
export type ServiceClientOptions = {
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch | undefined
  /** Default: the runtime's own. Node before 22 has none: pass the one of the package `ws`. */
  WebSocket?: WebSocketConstructor | undefined
  /** Milliseconds for a call that does not say otherwise. Default 10 000. */
  timeoutMs?: number | undefined
  /** Milliseconds for `requestQuotes`, which lasts as long as the auction. Default 60 000. */
  auctionTimeoutMs?: number | undefined
  /**
   * An integrator's key, as the operator has given it: auctions count against quotas of its own. A secret of a server; never put it
   * into a page.
   */
  apiKey?: string | undefined
  clock?: Clock | undefined
  random?: (() => number) | undefined
}

/** What the calls that open an auction take. */
export type AuctionOptions = {
  /**
   * Makes the same request the same auction, also in another call or after a restart of the caller: 22 to 128 random
   * characters of `A-Z a-z 0-9 - _`, secret, used for one request only and known to the service for 24 hours. Default: a new
   * one for each call.
   */
  idempotencyKey?: string | undefined
  /** The place in the caller's trace (`traceparent` of W3C Trace Context), which a service that writes traces goes on from. */
  traceparent?: string | undefined
}

/** Where to go on in a stream: the `id` of the last event that was received, one before `done`. */
export type FollowOptions = StreamOptions & { lastEventId?: string | undefined }

/**
 * `audience`: whom the service must say that it is, if not the URL that is dialled. `resumeFrom`: the `seq` of the last
 * `quote_status` that was handled before. `traces`: whether RFQs may have a `traceparent`.
 */
export type ConnectWebSocketOptions = ConnectOptions & Pick<RFQWebSocketConfig, 'audience' | 'resumeFrom' | 'traces'>

/** Which positions: `open` (the default), `settled` or `all`; at most `limit` (500), behind the page that `cursor` is of. */
export type PositionOptions = Pick<PositionFilters, 'status' | 'limit' | 'cursor'>

/** `audience`: the public URL of the service's backer socket, if not the one that follows from `orderbookUrl`. */
export type MakerReadOptions = CallOptions & { audience?: string | undefined }

/**
 * The client of a quote service, for borrowers and backers alike.
 *
 * Every call takes `signal` and `timeoutMs`, and fails with a typed error under `BaseError`: `ServiceError` when the
 * service refuses, `ConnectionError`, `TimeoutError`, `AbortedError` and `InvalidResponseError` otherwise. Only reads,
 * and auctions by their key, are ever repeated by themselves.
 *
 * @example
 * ```ts
 * const client = new ServiceClient({ orderbookUrl })
 * const { quotes } = await client.requestQuotes({ poolId, expiry, notional })
 * ```
 */
export class ServiceClient {
  readonly #config: ClientConfig
  readonly #options: ServiceClientOptions
  readonly #signer: BackerSigner
  readonly #http: HttpTransport
  readonly #authorizations: ReadAuthorizations
  #webSocket: RFQWebSocketClient | null = null

  /** @throws {InvalidInputError} when the configuration or an option is malformed. */
  constructor(config: Partial<ClientConfig> = {}, given: ServiceClientOptions = {}) {
    this.#config = resolveClientConfig(config)
    const options = checkEnvironment(given)
    this.#options = options
    this.#signer = new BackerSigner(this.#config, { clock: options.clock })
    this.#authorizations = createReadAuthorizations(this.#signer, options.clock ?? systemClock)
    this.#http = createHttpTransport({
      baseUrl: this.#config.orderbookUrl,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      timeoutMs: options.timeoutMs ?? 10_000,
      apiKey: options.apiKey,
    })
  }

  /**
   * A copy of the resolved configuration; no network call.
   *
   * @example
   * ```ts
   * new ServiceClient().getConfig().orderbookUrl // 'http://localhost:3005'
   * ```
   */
  getConfig(): ClientConfig {
    return { ...this.#config }
  }

  /**
   * Signs with a private key from now on. For servers; in a browser use `setAccount`.
   *
   * @throws {SignerError} `INVALID_PRIVATE_KEY`.
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * client.getAddress() === maker // true
   * ```
   */
  setPrivateKey(key: Hex): void {
    this.#signer.setPrivateKey(key)
  }

  /**
   * Signs with an account of an existing viem wallet client from now on.
   *
   * @example
   * ```ts
   * client.setAccount(makerWallet.account, makerWallet)
   * const signed = await client.signQuoteMarketQuote(quote)
   * ```
   */
  setAccount(account: Account | Address, walletClient: Client): void {
    this.#signer.setAccount(account, walletClient)
  }

  /**
   * The configured maker's address, or null.
   *
   * @example
   * ```ts
   * client.getAddress() // null
   * ```
   */
  getAddress(): Address | null {
    return this.#signer.getAddress()
  }

  /**
   * The signer that this client signs with.
   *
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const socket = new RFQWebSocketClient({ ...client.getConfig(), url: webSocketUrl, signer: client.getSigner() })
   * ```
   */
  getSigner(): BackerSigner {
    return this.#signer
  }

  /**
   * Signs a quote and gives its wire form.
   *
   * @throws {SignerError} `MAKER_MISMATCH` when the maker is not the signer.
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const { signature } = await client.signQuoteMarketQuote(quote)
   * ```
   */
  signQuoteMarketQuote(quote: QuoteMarketQuote): Promise<SerializedSignedQuote> {
    return this.#signer.signQuoteMarketQuote(quote)
  }

  /**
   * Connects to the backer channel and authenticates. A channel that was open before is closed.
   *
   * @throws what `RFQWebSocketClient.connect` throws.
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const socket = await client.connectWebSocket({
   *   onRFQ: async (rfq) => {
   *     await socket.submitQuote(rfq.rfqId, price(rfq))
   *   },
   *   onQuoteStatus: ({ seq, hash, status }) => console.log(seq, hash, status),
   *   onError: (error) => console.log(error.message),
   * })
   * ```
   */
  async connectWebSocket(
    events: RFQWebSocketEvents = {},
    given: ConnectWebSocketOptions = {},
  ): Promise<RFQWebSocketClient> {
    const { audience, resumeFrom, traces, ...options } = checkCallOptions(given)
    this.disconnectWebSocket()
    const { chainId, quoteMarketAddress, orderbookUrl } = this.#config
    const { WebSocket, clock, random } = this.#options
    const url = backerChannelUrl(orderbookUrl)
    const client = new RFQWebSocketClient(
      {
        url,
        audience,
        resumeFrom,
        traces,
        signer: this.#signer,
        chainId,
        quoteMarketAddress,
        WebSocket,
        clock,
        random,
      },
      events,
    )
    this.#webSocket = client
    try {
      await client.connect(options)
    } catch (error) {
      if (this.#webSocket === client) this.#webSocket = null
      throw error
    }
    return client
  }

  /**
   * The current backer channel, or null.
   *
   * @example
   * ```ts
   * client.getWebSocketClient() // null
   * client.setPrivateKey(key)
   * await client.connectWebSocket()
   * client.getWebSocketClient()?.isAuth() // true
   * ```
   */
  getWebSocketClient(): RFQWebSocketClient | null {
    return this.#webSocket
  }

  /**
   * Closes the backer channel: it does not reconnect by itself.
   *
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const socket = await client.connectWebSocket()
   * client.disconnectWebSocket()
   * socket.isConnected() // false
   * ```
   */
  disconnectWebSocket(): void {
    this.#webSocket?.disconnect()
    this.#webSocket = null
  }

  /**
   * Runs an auction and gives its result when it has closed. Sent with a key, so that it is repeated when the connection
   * breaks or the service restarts, and is still one auction. `streamQuotes` shows quotes as they arrive.
   *
   * @throws {InvalidInputError} when the request or an option is malformed.
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
    return checkResult(await this.#http.call(endpoints.requestQuotes, input, { signal, timeoutMs }))
  }

  /**
   * Opens an auction when it is first iterated, and yields `started`, every `quote` as it arrives, and `done`: each once and
   * in order, also when the line breaks or the service restarts in between. Leaving the loop ends the request; the auction
   * goes on, `followAuction` shows the rest of it and `getRfq` its result.
   *
   * @throws {InvalidInputError} at once, when the request or an option is malformed.
   * @throws {StreamError} `STREAM_INTERRUPTED` from the loop, when the stream could not be resumed; it carries the `rfqId`.
   * @example
   * ```ts
   * for await (const event of client.streamQuotes({ poolId, expiry, notional })) {
   *   if (event.type === 'started') console.log(`${event.data.backers} backers asked`)
   *   if (event.type === 'quote') console.log(`${event.data.quote.maker} at ${formatRate(event.data.apr)}`)
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
   * Yields the events of an auction, open or closed, by the borrower's secret id: those after `lastEventId`, or all of them.
   * Each comes once and in order, as from `streamQuotes`.
   *
   * @throws {InvalidInputError} at once, when the id is malformed, or `lastEventId` is of another auction.
   * @throws {ServiceError} `RFQ_NOT_FOUND` from the loop, when there is no such auction.
   * @throws {StreamError} `STREAM_INTERRUPTED` from the loop, when the stream could not be resumed.
   * @example
   * ```ts
   * for await (const event of client.followAuction(result.rfqId)) {
   *   if (event.type === 'quote') console.log(event.id, event.data.hash)
   * }
   * ```
   */
  followAuction(rfqId: RfqId, options: FollowOptions = {}): AsyncGenerator<RFQAuctionEvent, void, undefined> {
    const checkedId = endpoints.followAuction.parameters.rfqId(rfqId, 'rfqId')
    const { lastEventId, ...checked } = checkCallOptions(options)
    return streamRfq(this.#http, { rfqId: checkedId, seq: placeOf(lastEventId, checkedId) }, checked)
  }

  /**
   * An auction's result so far, by the borrower's secret id. A stored text becomes an id with `toRfqId`.
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
   * Quotes that auctions have seen lately, newest first: for discovery only. `limit` is at most 100.
   *
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
   * Has the service check and store a signed quote, for anyone to find.
   *
   * @throws {ServiceError} with the code of the refusal.
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const stored = await client.submitQuoteMarketQuote(await client.signQuoteMarketQuote(quote))
   * stored.status // 'active'
   * ```
   */
  async submitQuoteMarketQuote(signed: SerializedSignedQuote, options: CallOptions = {}): Promise<StoredQuote> {
    return this.#http.call(endpoints.submitQuote, { body: encodeBody(endpoints.submitQuote, signed) }, options)
  }

  /**
   * One page of the published quotes that are still active; with `maker` and another `status`, of what has become of that
   * maker's. A page may have fewer quotes than `limit`, or none, and more to come: the last one has a `nextCursor` of null.
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
   * One stored quote by its hash, active or not.
   *
   * @example
   * ```ts
   * const { hash } = await client.submitQuoteMarketQuote(serializeSignedQuote(signed))
   * const { status, apr } = await client.getQuoteMarketQuote(hash)
   * status // 'active'
   * ```
   */
  async getQuoteMarketQuote(hash: Hex, options: CallOptions = {}): Promise<StoredQuote> {
    return this.#http.call(endpoints.getQuote, { parameters: { hash } }, options)
  }

  /**
   * The pools with their active series, and the best rate and depth of their quotes. Both are measured at a size, `notional` in raw
   * units of the loan token: by default 1 % of what each series can still take.
   *
   * @example
   * ```ts
   * for (const { loanToken, floating, series } of await client.getPoolRates()) {
   *   console.log(`${loanToken.symbol}: ${formatRate(floating.apr)} floating`)
   *   for (const { expiry, bestApr } of series) console.log(formatTimestamp(expiry), bestApr)
   * }
   * ```
   */
  async getPoolRates(filters: PoolFilters = {}, options: CallOptions = {}): Promise<PoolRates[]> {
    return (await this.#http.call(endpoints.getPoolRates, { query: filters }, options)).pools
  }

  /**
   * The floating rates of the underlying lending markets.
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
   * What the floating rate of a pool and its best fixed rates have been: by default of the last 365 days. Floating rates are by the
   * hour, or by the day for a range of more than 2,000 hours. `market` is the pool's id, `from` and `to` are Unix seconds.
   *
   * @example
   * ```ts
   * const to = Math.floor(Date.now() / 1000)
   * const { floating, fixed } = await client.getRateHistory({ market: poolId, from: to - 7 * 86_400, to })
   * ```
   */
  async getRateHistory(filters: RateHistoryFilters, options: CallOptions = {}): Promise<RateHistory> {
    return this.#http.call(endpoints.getRateHistory, { query: filters }, options)
  }

  /**
   * What an account owes on the lending markets of the pools, what it can withdraw, and a page of its fixed-rate positions as
   * maker or borrower: the open ones, unless `status` says otherwise.
   *
   * @throws {InvalidInputError} when the address is malformed.
   * @example
   * ```ts
   * const { debts, positions, nextCursor } = await client.getPositions(account.address, { status: 'all', limit: 100 })
   * for (const { debt, loanToken } of debts) console.log(loanToken, debt)
   * ```
   */
  async getPositions(account: Address, given: CallOptions & PositionOptions = {}): Promise<AccountPositions> {
    const { status, limit, cursor, ...options } = checkCallOptions(given)
    const query = {
      address: address(account, 'address'),
      ...(status !== undefined && { status }),
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    }
    return this.#http.call(endpoints.getPositions, { query }, options)
  }

  /**
   * One page of this maker's own quotes, published and of auctions, newest first. Signs an authorization to read once an hour.
   *
   * @throws {SignerError} `SIGNER_MISSING`, `SIGNING_FAILED`; `AUDIENCE_MISMATCH` on an unencrypted connection to another machine.
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const { quotes } = await client.getMakerQuotes({ status: 'filled', limit: 50 })
   * ```
   */
  async getMakerQuotes(filters: MakerQuoteFilters = {}, options: MakerReadOptions = {}): Promise<QuotePage> {
    return this.#read(endpoints.getMakerQuotes, { query: filters }, options)
  }

  /**
   * One page of how auctions have ended for this maker's quotes, newest first. Authorized like `getMakerQuotes`.
   *
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const { outcomes, nextCursor } = await client.getMakerOutcomes({ limit: 50 })
   * ```
   */
  async getMakerOutcomes(page: PageFilters = {}, options: MakerReadOptions = {}): Promise<MakerOutcomePage> {
    return this.#read(endpoints.getMakerOutcomes, { query: page }, options)
  }

  /**
   * The service's health; a value also when it is down (status 503).
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
   * The service's own chain, contracts and limits, to be compared with `getConfig()`.
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

  async #read<E extends Endpoint>(endpoint: JsonEndpoint<E>, input: CallInput<E>, given: MakerReadOptions) {
    const checked = checkCallOptions(given)
    const { audience = backerChannelUrl(this.#config.orderbookUrl), ...options } = checked
    if (!isSafeUrl(this.#config.orderbookUrl)) {
      throw new SignerError('AUDIENCE_MISMATCH', 'An http:// URL may only lead to this machine.', {
        details: 'Nothing was signed.',
      })
    }
    const authorization = await this.#authorizations.get(audience)
    try {
      return await this.#http.call(endpoint, { ...input, authorization }, options)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED') this.#authorizations.drop()
      throw error
    }
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
