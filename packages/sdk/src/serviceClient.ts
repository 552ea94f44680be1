import type {
  MakerOutcomePage,
  MakerQuoteFilters,
  PageFilters,
  QuoteMarketQuote,
  QuotePage,
  SerializedSignedQuote,
  StoredQuote,
} from '@firmquote/core'
import type { Endpoint } from '@firmquote/core/endpoints'
import { systemClock } from '@firmquote/core/utils'
import type { Account, Address, Client, Hex } from 'viem'
import { BackerSigner } from './backer/backerSigner.ts'
import { isSafeUrl } from './backer/isSafeUrl.ts'
import { createReadAuthorizations, type ReadAuthorizations } from './backer/readAuthorizations.ts'
import type { ConnectOptions } from './backer/reconnectingSocket.ts'
import { RFQWebSocketClient, type RFQWebSocketEvents } from './backer/rfqWebSocketClient.ts'
import type { RFQWebSocketConfig } from './backer/rfqWebSocketConfig.ts'
import { BorrowerClient, type ServiceClientOptions, transportOf } from './borrowerClient.ts'
import { checkCallOptions } from './checkOptions.ts'
import { backerChannelUrl, type GivenConfig } from './clientConfig.ts'
import { ServiceError, SignerError } from './errors.ts'
import * as endpoints from './generated/endpoints.ts'
import type { CallOptions } from './http/callGuard.ts'
import { type CallInput, encodeBody, type JsonEndpoint } from './http/clientEndpoint.ts'

/**
 * Options for the backer channel. `audience`: the audience that the service must claim, if not the dialled URL.
 * `resumeFrom`: the `seq` of the last handled `quote_status`. `traces`: whether RFQs may include a `traceparent`.
 * `receipts`: whether the service sends receipts.
 */
export type ConnectWebSocketOptions = ConnectOptions &
  Pick<RFQWebSocketConfig, 'audience' | 'resumeFrom' | 'traces' | 'receipts'>

/**
 * Options for maker reads. `audience`: the public URL of the service's backer socket, if it cannot be derived from
 * `orderbookUrl`.
 */
export type MakerReadOptions = CallOptions & { audience?: string | undefined }

/**
 * A client for a quote service, for borrowers and backers. Has all methods of `BorrowerClient`.
 *
 * @example
 * ```ts
 * const client = new ServiceClient({ orderbookUrl })
 * const { quotes } = await client.requestQuotes({ poolId, expiry, notional })
 * ```
 */
export class ServiceClient extends BorrowerClient {
  readonly #environment: Pick<ServiceClientOptions, 'WebSocket' | 'clock' | 'random'>
  readonly #signer: BackerSigner
  readonly #authorizations: ReadAuthorizations
  #webSocket: RFQWebSocketClient | null = null

  /** @throws {InvalidInputError} if the configuration or an option is malformed. */
  constructor(config: GivenConfig = {}, options: ServiceClientOptions = {}) {
    super(config, options)
    const { WebSocket, clock, random } = { ...options }
    this.#environment = { WebSocket, clock, random }
    this.#signer = new BackerSigner(this.getConfig(), { clock })
    this.#authorizations = createReadAuthorizations(this.#signer, clock ?? systemClock)
  }

  /**
   * Sets the private key to sign with. For servers only. In a browser, use `setAccount`.
   *
   * @param key 32 bytes as hex.
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
   * Sets a viem wallet client's account as the signer.
   *
   * @param account The maker's account.
   * @param walletClient Signs as the account.
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
   * Returns the maker's address, or null until `setPrivateKey` or `setAccount` is called.
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
   * Returns the client's signer.
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
   * Signs a quote. Returns its wire form.
   *
   * @throws {SignerError} `MAKER_MISMATCH` if the maker is not the signer.
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
   * Publishes a signed quote. The service checks the quote, stores it and lists it publicly.
   *
   * @throws {ServiceError} with the rejection code.
   * @example
   * ```ts
   * client.setPrivateKey(key)
   * const stored = await client.submitQuoteMarketQuote(await client.signQuoteMarketQuote(quote))
   * stored.status // 'active'
   * ```
   */
  async submitQuoteMarketQuote(signed: SerializedSignedQuote, options: CallOptions = {}): Promise<StoredQuote> {
    return transportOf(this).call(endpoints.submitQuote, { body: encodeBody(endpoints.submitQuote, signed) }, options)
  }

  /**
   * Connects to the backer channel and authenticates. Closes the previous channel, if any.
   *
   * @throws the same errors as `RFQWebSocketClient.connect`.
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
    const { audience, resumeFrom, traces, receipts, ...options } = checkCallOptions(given)
    this.disconnectWebSocket()
    const { chainId, quoteMarketAddress, orderbookUrl } = this.getConfig()
    const url = backerChannelUrl(orderbookUrl)
    const client = new RFQWebSocketClient(
      {
        url,
        audience,
        resumeFrom,
        traces,
        receipts,
        signer: this.#signer,
        chainId,
        quoteMarketAddress,
        ...this.#environment,
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
   * Returns the current backer channel, or null.
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
   * Closes the backer channel. The channel does not reconnect.
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
   * Lists a page of this maker's quotes, published or from auctions, newest first. Signs a read authorization once per
   * hour.
   *
   * @throws {SignerError} `SIGNER_MISSING`, `SIGNING_FAILED`, or `AUDIENCE_MISMATCH` on an unencrypted connection to
   * another machine.
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
   * Lists a page of auction outcomes for this maker's quotes, newest first. Authorized like `getMakerQuotes`.
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

  async #read<E extends Endpoint>(endpoint: JsonEndpoint<E>, input: CallInput<E>, given: MakerReadOptions) {
    const checked = checkCallOptions(given)
    const { orderbookUrl } = this.getConfig()
    const { audience = backerChannelUrl(orderbookUrl), ...options } = checked
    if (!isSafeUrl(orderbookUrl)) {
      throw new SignerError('AUDIENCE_MISMATCH', 'An http:// URL must be local.', {
        details: 'Nothing was signed.',
      })
    }
    const authorization = await this.#authorizations.get(audience)
    try {
      return await transportOf(this).call(endpoint, { ...input, authorization }, options)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED') this.#authorizations.drop()
      throw error
    }
  }
}
