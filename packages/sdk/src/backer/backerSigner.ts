import {
  BaseError,
  hashQuote,
  type QuoteDomain,
  type QuoteMarketQuote,
  quoteTypedData,
  type SerializedSignedQuote,
  serializeQuote,
} from '@firmquote/core'
import {
  authClockToleranceSeconds,
  backerAuthTypedData,
  formatReadAuthorization,
  hashBackerAuth,
  hashReadAuth,
  parseChallenge,
  readAuthTypedData,
} from '@firmquote/core/protocol'
import { type Clock, describeValue, guardInput, systemClock } from '@firmquote/core/utils'
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
import { rejectMilliseconds } from '../checkSeconds.ts'
import { type ClientConfig, checkedAddress, checkedChainId } from '../clientConfig.ts'
import { InvalidInputError } from '../coreErrors.ts'
import { SignerError } from '../errors.ts'
import { canonicalV } from './canonicalV.ts'

/** The chain and contracts to sign for. */
export type BackerSignerConfig = Pick<
  ClientConfig,
  'chainId' | 'factoryAddress' | 'quoteMarketAddress' | 'interestRatePoolAddress'
>

/**
 * Signs quotes and authentication challenges for one maker. The key never appears in properties, logs, JSON or
 * `util.inspect` output.
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

  /**
   * @param options.clock Default: this machine's clock.
   * @throws {InvalidInputError} if the chain id or an address is malformed.
   */
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
   * Sets a private key as the signer. Never use a private key in a browser.
   *
   * In Node, quotes are signed by WebAssembly, which is compiled on the first signature. In other environments, viem
   * signs quotes. Both produce identical signatures.
   *
   * @param key 32 bytes as hex.
   * @throws {SignerError} `INVALID_PRIVATE_KEY`. The error does not contain the key.
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
   * Sets a viem wallet client's account as the signer, such as a browser wallet or a remote signer.
   *
   * @param account The maker's account.
   * @param walletClient Signs as the account.
   * @throws {InvalidInputError} if the account has no valid address.
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
      throw new InvalidInputError('must be a viem wallet client.', { path: 'walletClient', given: walletClient })
    }
    this.#wallet = { account: parseAccount(account), client: walletClient }
  }

  /**
   * Sets a contract as the maker. The contract's `isValidSignature` (ERC-1271) must accept the signatures that
   * `signDigest` creates.
   *
   * @param maker The contract.
   * @param signDigest Signs an EIP-712 digest in the contract's format. The signature may be at most 1,024 bytes long.
   * @throws {InvalidInputError} if the address is malformed or `signDigest` is not a function.
   * @example
   * ```ts
   * // A Safe: its owners sign a SafeMessage that contains the digest. Sort multiple signatures by owner address.
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
   * Returns the maker's address, or null if no signer is set.
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
   * Signs a quote under the quote market's EIP-712 domain and returns it in wire form.
   *
   * @throws {SignerError} `MAKER_MISMATCH` if the maker is not the signer, `SIGNER_MISSING` or `SIGNING_FAILED`.
   * @throws {InvalidInputError} if a field does not fit its type.
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
    // Copy the quote, so that later changes by the caller do not affect the signed quote.
    const quote = { ...given }
    const { account } = wallet
    const maker = checkedAddress(quote.maker, 'maker')
    checkedAddress(quote.taker, 'taker')
    if (typeof quote.deadline === 'bigint') rejectMilliseconds(quote.deadline, 'deadline')
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
    // Check every field's range, because a wallet might not.
    hashQuote(quote, this.#domain)
    const serialized = serializeQuote(quote)
    return { ...serialized, signature: await sign(wallet, quoteTypedData(quote, this.#domain)) }
  }

  /**
   * Signs a `/ws/rfq` challenge for its audience, this chain and this quote market. The signature is not valid as a
   * quote signature.
   *
   * @param challenge The challenge from the service: `firmquote-auth|1|<audience>|<64 hex>`.
   * @param timestamp Unix seconds, within 300 seconds of the local clock.
   * @throws {SignerError} `INVALID_CHALLENGE`, `TIMESTAMP_OUT_OF_WINDOW`, `SIGNER_MISSING` or `SIGNING_FAILED`.
   * @example
   * ```ts
   * const challenge = `firmquote-auth|1|wss://rfq.example/ws/rfq|${'ab'.repeat(32)}`
   * const signature = await signer.signAuthChallenge(challenge, Math.floor(Date.now() / 1000))
   * ```
   */
  async signAuthChallenge(challenge: string, timestamp: number): Promise<Hex> {
    const wallet = this.#requireWallet()
    const parsed = parseChallenge(challenge)
    if (parsed === null) throw new SignerError('INVALID_CHALLENGE', 'The challenge is malformed.')
    const now = Math.floor(this.#clock.now() / 1000)
    if (!Number.isSafeInteger(timestamp) || Math.abs(timestamp - now) > authClockToleranceSeconds) {
      throw new SignerError('TIMESTAMP_OUT_OF_WINDOW', 'The timestamp is too far from the local clock.', {
        metaMessages: [`timestamp: ${describeValue(timestamp)}`, `clock: ${now}`],
        details: `The tolerance is ${authClockToleranceSeconds} seconds.`,
      })
    }
    const auth = { ...parsed, ...this.#domain, backer: wallet.account.address, timestamp }
    if ('signDigest' in wallet) return signAsContract(wallet, hashBackerAuth(auth))
    return sign(wallet, backerAuthTypedData(auth))
  }

  /**
   * Signs a one-hour authorization to read this maker's quotes and outcomes. The signature is not valid for a quote or
   * a session.
   *
   * @param audience The public URL of the service's backer socket.
   * @returns The value of the `Authorization` header. Keep it secret until it expires.
   * @throws {SignerError} `SIGNER_MISSING` or `SIGNING_FAILED`.
   * @throws {InvalidInputError} if the audience is not a string.
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
    throw new SignerError('SIGNER_MISSING', 'No signer is set. Call setPrivateKey or setAccount first.')
  }
}

/** A wallet. A private key has its own quote signer. Other wallets sign everything themselves. */
type Wallet = { account: Account; client: Client; quoteSigner?: () => Promise<QuoteSigner> }

/** A contract and the function that signs for it. */
type ContractWallet = { account: { address: Address }; signDigest: (digest: Hex) => Promise<Hex> }

async function signAsContract({ signDigest }: ContractWallet, digest: Hex): Promise<Hex> {
  let signature: Hex
  try {
    signature = await signDigest(digest)
  } catch (cause) {
    throw new SignerError('SIGNING_FAILED', "The contract's signer did not sign.", { cause })
  }
  if (isHex(signature) && size(signature) <= 1_024) return signature
  throw new SignerError('SIGNING_FAILED', "The contract's signer must return hex of at most 1,024 bytes.")
}

/** Creates a value on first use. Does not cache failures, so the next use retries. */
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
    // Do not fall back to viem: it is ten times slower, and late quotes lose auctions.
    throw new SignerError('SIGNING_FAILED', 'Failed to start the quote signer. It needs WebAssembly in Node.', {
      details: 'To sign without WebAssembly, pass a viem account to setAccount.',
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
      // The key is zero or not below the curve's order. The original error is dropped, because it may contain the key.
    }
  }
  throw new SignerError(
    'INVALID_PRIVATE_KEY',
    'The private key must be 32 bytes of hex (0x and 64 digits) in the range of secp256k1.',
  )
}

const offline = {
  request: () => Promise.reject(new SignerError('SIGNING_FAILED', 'A local account needs no network.')),
}
