import {
  authClockToleranceSeconds,
  BaseError,
  backerAuthTypedData,
  type Clock,
  describeValue,
  formatReadAuthorization,
  guardInput,
  hashBackerAuth,
  hashQuote,
  hashReadAuth,
  InvalidInputError,
  parseChallenge,
  type QuoteDomain,
  type QuoteMarketQuote,
  quoteTypedData,
  readAuthTypedData,
  type SerializedSignedQuote,
  serializeQuote,
  systemClock,
} from '@firmquote/core'
import {
  type Account,
  type Address,
  bytesToHex,
  type Client,
  createClient,
  custom,
  type Hex,
  isAddressEqual,
  isHex,
  size,
} from 'viem'
import { parseAccount, privateKeyToAccount } from 'viem/accounts'
import { type SignTypedDataParameters, signTypedData } from 'viem/actions'
import { createQuoteSigner, type QuoteSigner } from '#quoteSigner'
import { type ClientConfig, checkedAddress, checkedChainId } from '../clientConfig.ts'
import { SignerError } from '../errors.ts'
import { canonicalV } from './canonicalV.ts'

/** What a signer signs for: one chain and one set of contracts. */
export type BackerSignerConfig = Pick<
  ClientConfig,
  'chainId' | 'factoryAddress' | 'quoteMarketAddress' | 'interestRatePoolAddress'
>

/**
 * Signs quotes and authentication challenges for one maker. No property, log, JSON or `util.inspect` of a signer shows its key.
 *
 * @example
 * ```ts
 * const signer = new BackerSigner(client.getConfig())
 * signer.setPrivateKey(key)
 * const signed = await signer.signQuoteMarketQuote(quote)
 * ```
 */
export class BackerSigner {
  readonly #domain: QuoteDomain
  readonly #clock: Clock
  #wallet: Wallet | ContractWallet | null = null

  /** @throws {InvalidInputError} when the chain id or an address is malformed. */
  constructor(given: BackerSignerConfig, options: { clock?: Clock | undefined } = {}) {
    const config = { ...given }
    checkedAddress(config.factoryAddress, 'factoryAddress')
    checkedAddress(config.interestRatePoolAddress, 'interestRatePoolAddress')
    this.#domain = {
      chainId: checkedChainId(config.chainId),
      quoteMarket: checkedAddress(config.quoteMarketAddress, 'quoteMarketAddress'),
    }
    this.#clock = { ...options }.clock ?? systemClock
  }

  /**
   * Signs with a private key from now on, through a wallet client of its own. Never use it in a browser.
   *
   * In Node, WebAssembly signs quotes, and the first one waits until it is compiled; elsewhere viem signs. The bytes are the same.
   *
   * @param key 32 bytes of hex.
   * @throws {SignerError} `INVALID_PRIVATE_KEY`; the key is not repeated.
   * @example
   * ```ts
   * signer.setPrivateKey(key)
   * signer.getAddress() === maker // true
   * ```
   */
  setPrivateKey(key: Hex): void {
    const account = accountOf(key)
    this.#wallet = {
      account,
      client: createClient({ account, transport: custom(offline, { retryCount: 0 }) }),
      quoteSigner: lazily(() => createQuoteSigner(key, this.#domain)),
    }
  }

  /**
   * Signs with an existing account of an existing wallet client from now on: a browser wallet, a remote signer.
   *
   * @throws {InvalidInputError} when the account has no valid address.
   * @example
   * ```ts
   * signer.setAccount(makerWallet.account, makerWallet)
   * const signed = await signer.signQuoteMarketQuote(quote)
   * ```
   */
  setAccount(account: Account | Address, walletClient: Client): void {
    const address = guardInput('account', () => (typeof account === 'object' ? account.address : account))
    checkedAddress(address, 'account')
    if (typeof walletClient !== 'object' || walletClient === null) {
      throw new InvalidInputError('must be a wallet client of viem.', { path: 'walletClient', given: walletClient })
    }
    this.#wallet = { account: parseAccount(account), client: walletClient }
  }

  /**
   * Signs for a contract from now on, whose `isValidSignature` (ERC-1271) takes what `signDigest` gives.
   *
   * @param maker the contract.
   * @param signDigest signs an EIP-712 digest as the contract wants it, in at most 1,024 bytes.
   * @throws {InvalidInputError} when the address is none, or `signDigest` no function.
   * @example
   * ```ts
   * // A Safe: its owners sign a SafeMessage with the digest in it; several signatures go in the order of the owners' addresses.
   * signer.setContract(safe, (digest) =>
   *   owner.signTypedData({
   *     domain: { chainId, verifyingContract: safe },
   *     types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
   *     primaryType: 'SafeMessage',
   *     message: { message: digest },
   *   }),
   * )
   * ```
   */
  setContract(maker: Address, signDigest: (digest: Hex) => Promise<Hex>): void {
    const address = checkedAddress(maker, 'maker')
    if (typeof signDigest !== 'function') {
      throw new InvalidInputError('must be a function.', { path: 'signDigest', given: signDigest })
    }
    this.#wallet = { account: { address }, signDigest }
  }

  /**
   * The maker's address, or null while there is no signer.
   *
   * @example
   * ```ts
   * new BackerSigner(client.getConfig()).getAddress() // null
   * signer.getAddress() === maker // true
   * ```
   */
  getAddress(): Address | null {
    return this.#wallet?.account.address ?? null
  }

  /**
   * Signs a quote under the quote market's EIP-712 domain and gives its wire form.
   *
   * @throws {SignerError} `MAKER_MISMATCH` when the maker is not the signer, `SIGNER_MISSING`, `SIGNING_FAILED`.
   * @throws {InvalidInputError} when a field does not fit its type.
   * @example
   * ```ts
   * const signed = await signer.signQuoteMarketQuote({
   *   maker,
   *   taker: zeroAddress,
   *   poolId,
   *   seriesKey,
   *   notional: 250_000_000_000n, // raw loan-token units
   *   vrtAmount: 6_250_000_000n, // raw loan-token units, for the whole remaining term
   *   nonce: 0n,
   *   deadline: BigInt(Math.floor(Date.now() / 1000) + 300), // Unix seconds
   *   salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
   * })
   * ```
   */
  async signQuoteMarketQuote(given: QuoteMarketQuote): Promise<SerializedSignedQuote> {
    const wallet = this.#requireWallet()
    // A copy, so that what is sent is what was signed even if the caller changes the quote meanwhile.
    const quote = { ...given }
    const { account } = wallet
    const maker = checkedAddress(quote.maker, 'maker')
    checkedAddress(quote.taker, 'taker')
    if (!isAddressEqual(maker, account.address)) {
      throw new SignerError('MAKER_MISMATCH', `The quote's maker is ${maker}, but the signer is ${account.address}.`)
    }
    if ('signDigest' in wallet) {
      const digest = hashQuote(quote, this.#domain)
      return { ...serializeQuote(quote), signature: await signAsContract(wallet, digest) }
    }
    if (wallet.quoteSigner) {
      const signature = await signWithKey(wallet.quoteSigner, quote)
      return { ...serializeQuote(quote), signature }
    }
    // Checks the width of every field, which a wallet might not.
    hashQuote(quote, this.#domain)
    const serialized = serializeQuote(quote)
    return { ...serialized, signature: await sign(wallet, quoteTypedData(quote, this.#domain)) }
  }

  /**
   * Signs the challenge of `/ws/rfq`, bound to its audience, this chain and this quote market. Not a quote.
   *
   * @param challenge as the service sent it: `firmquote-auth|1|<audience>|<64 hex>`.
   * @param timestamp Unix seconds, at most 300 from the local clock.
   * @throws {SignerError} `INVALID_CHALLENGE`, `TIMESTAMP_OUT_OF_WINDOW`, `SIGNER_MISSING`, `SIGNING_FAILED`.
   * @example
   * ```ts
   * const challenge = `firmquote-auth|1|wss://rfq.example/ws/rfq|${'ab'.repeat(32)}`
   * const signature = await signer.signAuthChallenge(challenge, Math.floor(Date.now() / 1000))
   * ```
   */
  async signAuthChallenge(challenge: string, timestamp: number): Promise<Hex> {
    const wallet = this.#requireWallet()
    const parsed = parseChallenge(challenge)
    if (parsed === null) throw new SignerError('INVALID_CHALLENGE', 'This is not a challenge of a quote service.')
    const now = Math.floor(this.#clock.now() / 1000)
    if (!Number.isSafeInteger(timestamp) || Math.abs(timestamp - now) > authClockToleranceSeconds) {
      throw new SignerError('TIMESTAMP_OUT_OF_WINDOW', 'The timestamp is too far from the local clock.', {
        metaMessages: [`timestamp: ${describeValue(timestamp)}`, `clock: ${now}`],
        details: `At most ${authClockToleranceSeconds} seconds are tolerated.`,
      })
    }
    const auth = { ...parsed, ...this.#domain, backer: wallet.account.address, timestamp }
    if ('signDigest' in wallet) return signAsContract(wallet, hashBackerAuth(auth))
    return sign(wallet, backerAuthTypedData(auth))
  }

  /**
   * Signs an authorization to read this maker's quotes and outcomes for an hour from now. Not a quote, and no session.
   *
   * @param audience the public URL of the service's backer socket.
   * @returns the value of the header `Authorization`, a secret for that hour.
   * @throws {SignerError} `SIGNER_MISSING`, `SIGNING_FAILED`.
   * @throws {InvalidInputError} when the audience is no text.
   * @example
   * ```ts
   * const authorization = await signer.signReadAuthorization(webSocketUrl)
   * const response = await fetch(`${orderbookUrl}/api/v1/maker/quotes`, { headers: { authorization } })
   * response.status // 200
   * ```
   */
  async signReadAuthorization(audience: string): Promise<string> {
    const wallet = this.#requireWallet()
    if (typeof audience !== 'string') {
      throw new InvalidInputError('must be the URL of a backer socket.', { path: 'audience', given: audience })
    }
    const auth = {
      ...this.#domain,
      backer: wallet.account.address,
      audience,
      nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
      timestamp: Math.floor(this.#clock.now() / 1000),
    }
    const signature =
      'signDigest' in wallet
        ? await signAsContract(wallet, hashReadAuth(auth))
        : await sign(wallet, readAuthTypedData(auth))
    return formatReadAuthorization({ ...auth, signature })
  }

  #requireWallet(): Wallet | ContractWallet {
    if (this.#wallet) return this.#wallet
    throw new SignerError('SIGNER_MISSING', 'There is no signer: call setPrivateKey or setAccount first.')
  }
}

/** With a private key, quotes have a signer of their own; a wallet signs everything itself. */
type Wallet = { account: Account; client: Client; quoteSigner?: () => Promise<QuoteSigner> }

/** A contract, and who signs for it. */
type ContractWallet = { account: { address: Address }; signDigest: (digest: Hex) => Promise<Hex> }

async function signAsContract({ signDigest }: ContractWallet, digest: Hex): Promise<Hex> {
  let signature: Hex
  try {
    signature = await signDigest(digest)
  } catch (cause) {
    throw new SignerError('SIGNING_FAILED', 'The signer of the contract did not sign.', { cause })
  }
  if (isHex(signature) && size(signature) <= 1_024) return signature
  throw new SignerError('SIGNING_FAILED', 'The signer of the contract gave no hex of at most 1,024 bytes.')
}

/** Creates a value on first use. A failure is not kept: the next use tries again. */
function lazily<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined
      throw error
    })
    return created
  }
}

async function signWithKey(quoteSigner: () => Promise<QuoteSigner>, quote: QuoteMarketQuote): Promise<Hex> {
  const signer = await quoteSigner().catch((cause: unknown) => {
    // Falling back to viem silently would be ten times as slow, and late quotes lose auctions.
    throw new SignerError('SIGNING_FAILED', 'The quote signer could not start: in Node it needs WebAssembly.', {
      details: 'To sign without it, pass an account of viem to setAccount.',
      cause,
    })
  })
  try {
    return await signer.signQuote(quote)
  } catch (error) {
    if (error instanceof BaseError) throw error
    throw new InvalidInputError('has a field that does not fit its type.', { path: 'quote' })
  }
}

async function sign(
  { account, client }: Wallet,
  typedData: ReturnType<typeof quoteTypedData | typeof backerAuthTypedData | typeof readAuthTypedData>,
): Promise<Hex> {
  try {
    return canonicalV(await signTypedData(client, { account, ...typedData } as SignTypedDataParameters))
  } catch (cause) {
    throw new SignerError('SIGNING_FAILED', 'The wallet did not sign.', { cause })
  }
}

function accountOf(key: Hex): Account {
  if (isHex(key) && size(key) === 32) {
    try {
      return privateKeyToAccount(key)
    } catch {
      // Zero or beyond the curve's order. The error beneath may repeat the key, so it is dropped.
    }
  }
  throw new SignerError(
    'INVALID_PRIVATE_KEY',
    'A private key is 32 bytes of hex (0x and 64 digits) in the range of secp256k1.',
  )
}

const offline = {
  request: () => Promise.reject(new SignerError('SIGNING_FAILED', 'A local account needs no network.')),
}
