// Why: docs/decisions/0010-structured-errors.md
import { describeValue } from './values/describeValue.ts'
import { failureCode } from './values/failureCode.ts'
import { version } from './version.ts'

/** The optional parts of a Firmquote error. */
export type BaseErrorOptions = {
  /** The caught error, whose message is not repeated because it may contain a URL with credentials. */
  cause?: unknown
  /** An additional sentence: the expected value or the remedy. */
  details?: string | undefined
  /** Path to the error's documentation: a package that throws the error, a file in it, and an anchor. */
  docsPath?: string | undefined
  /** The values passed, one per line: `notional: -5n`. */
  metaMessages?: readonly string[] | undefined
}

/**
 * Base class of all errors that Firmquote throws. Programs should check `code`, which is stable. `shortMessage` is one
 * sentence. `message` also contains the values passed, the documentation's URL, the details and the version, each on its
 * own line.
 *
 * Expected rejections of a quote are returned as values ({@link Rejection}), never thrown.
 *
 * @example
 * ```ts
 * try {
 *   aprToRatePerSec(-5)
 * } catch (error) {
 *   if (!(error instanceof BaseError)) throw error
 *   error.code // 'INVALID_INPUT'
 *   error.shortMessage // 'aprPercent: must be a percentage from 0 to 1000000.'
 *   error.metaMessages // ['aprPercent: -5']
 * }
 * ```
 */
export class BaseError extends Error {
  override name = 'BaseError'
  /** A stable code in SCREAMING_SNAKE_CASE. */
  readonly code: string
  readonly shortMessage: string
  readonly metaMessages: readonly string[]
  readonly details: string | undefined
  readonly docsPath: string | undefined
  /** Name and version of the package in `docsPath`, which threw the error. All Firmquote packages share one version. */
  readonly version: string

  constructor(code: string, shortMessage: string, options: BaseErrorOptions = {}) {
    const { cause, details, docsPath, metaMessages = [] } = options
    const [, name = '@firmquote/core', file] = /^(@\w+\/\w+)\/(.+)/.exec(docsPath ?? '') ?? []
    const thrower = `${name}@${version}`
    const lines = [
      shortMessage,
      '',
      ...(metaMessages.length === 0 ? [] : [...metaMessages, '']),
      ...(file ? [`Docs: https://app.unpkg.com/${thrower}/files/${file}`] : []),
      ...(details === undefined ? [] : [`Details: ${details}`]),
      `Version: ${thrower}`,
    ]
    super(lines.join('\n'), cause === undefined ? undefined : { cause })
    this.code = code
    this.shortMessage = shortMessage
    this.metaMessages = metaMessages
    this.details = details
    this.docsPath = docsPath
    this.version = thrower
  }

  /**
   * Returns the last error in the chain of causes, possibly this one.
   *
   * @example
   * ```ts
   * const error = new BaseError('BOOK_UNREADABLE', 'Failed to read the book.', { cause: new RangeError('line 7') })
   * error.walk() === error.cause // true
   * ```
   */
  walk(): unknown
  /**
   * Returns the first error in the chain of causes, starting with this one, that satisfies `matches`, or null if none
   * does.
   *
   * @example
   * ```ts
   * const error = new BaseError('BOOK_UNREADABLE', 'Failed to read the book.', { cause: new RangeError('line 7') })
   * error.walk((cause) => cause instanceof RangeError) === error.cause // true
   * error.walk((cause) => cause instanceof SyntaxError) // null
   * ```
   */
  walk<Found>(matches: (error: unknown) => error is Found): Found | null
  walk(matches: (error: unknown) => boolean): unknown
  walk(matches?: (error: unknown) => boolean): unknown {
    const seen = new Set<unknown>()
    let error: unknown = this
    while (!matches?.(error)) {
      seen.add(error)
      const cause = error instanceof Error ? error.cause : undefined
      if (cause === undefined || seen.has(cause)) return matches ? null : error
      error = cause
    }
    return error
  }
}

/** The optional parts of an {@link InvalidInputError}. */
export type InvalidInputOptions = BaseErrorOptions & {
  /** Path to the invalid value in dot notation (`quote.notional`), if the input is structured. */
  path?: string
  /** The invalid value. The message shows amounts and addresses in full, but only the type and size of other values. */
  given?: unknown
}

/**
 * An argument or a message is malformed. The operation had no effect. Code `INVALID_INPUT`.
 *
 * @example
 * ```ts
 * try {
 *   formatPrincipal(-1n, 6)
 * } catch (error) {
 *   if (!(error instanceof InvalidInputError)) throw error
 *   error.path // 'amount'
 * }
 * ```
 */
export class InvalidInputError extends BaseError {
  override name = 'InvalidInputError'
  /** Path to the invalid value in dot notation (`quote.notional`), if the input is structured. */
  readonly path: string | undefined

  constructor(message: string, options: InvalidInputOptions = {}) {
    const { path, given, ...base } = options
    super('INVALID_INPUT', path ? `${path}: ${message}` : message, {
      docsPath: '@firmquote/core/ERRORS.md#invalidinputerror',
      ...base,
      metaMessages: [
        ...('given' in options ? [`${path ?? 'given'}: ${describeValue(given)}`] : []),
        ...(base.metaMessages ?? []),
      ],
    })
    this.path = path
  }
}

/**
 * A chain read failed. Treat quotes that depend on the failed read as not executable. Code `CHAIN_UNAVAILABLE`. By
 * default, `details` names the code of the failure, such as `ECONNREFUSED` or `HTTP 401`.
 *
 * @example
 * ```ts
 * const publicClient = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) })
 * try {
 *   await checkExecutability(best.quote, { request, borrower: account.address, publicClient })
 * } catch (error) {
 *   if (!(error instanceof ChainUnavailableError)) throw error
 *   error.code // 'CHAIN_UNAVAILABLE'
 * }
 * ```
 */
export class ChainUnavailableError extends BaseError {
  override name = 'ChainUnavailableError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    const code = failureCode(options.cause)
    super('CHAIN_UNAVAILABLE', message, {
      details: code && `The cause is ${code}.`,
      docsPath: '@firmquote/core/ERRORS.md#chainunavailableerror',
      ...options,
    })
  }
}
