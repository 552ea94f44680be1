// Why: docs/decisions/0010-structured-errors.md
import { describeValue } from './values/describeValue.ts'
import { version } from './version.ts'

/** What a Firmquote error may carry beside its code and its short message. */
export type BaseErrorOptions = {
  /** The error that was caught. Its message is not repeated: it may hold a URL with credentials. */
  cause?: unknown
  /** One more sentence: what was expected, or what to do. */
  details?: string | undefined
  /** Where the error is documented: a file of an installed package and an anchor in it. */
  docsPath?: string | undefined
  /** What was given, one line each: `notional: -5n`. */
  metaMessages?: readonly string[] | undefined
}

/**
 * The root of every error that Firmquote throws. `code` is stable and meant for programs; `shortMessage` is one sentence;
 * `message` adds, line by line, what was given, where the error is documented, the details and the version.
 *
 * Expected refusals of a quote are values ({@link Rejection}), never errors.
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
  /** Stable, SCREAMING_SNAKE. */
  readonly code: string
  readonly shortMessage: string
  readonly metaMessages: readonly string[]
  readonly details: string | undefined
  readonly docsPath: string | undefined
  /** The package that composes the message, and its version. All packages of Firmquote have the same one. */
  readonly version = `@firmquote/core@${version}`

  constructor(code: string, shortMessage: string, options: BaseErrorOptions = {}) {
    const { cause, details, docsPath, metaMessages = [] } = options
    const lines = [
      shortMessage,
      '',
      ...(metaMessages.length === 0 ? [] : [...metaMessages, '']),
      ...(docsPath === undefined ? [] : [`Docs: ${docsPath}`]),
      ...(details === undefined ? [] : [`Details: ${details}`]),
      `Version: @firmquote/core@${version}`,
    ]
    super(lines.join('\n'), cause === undefined ? undefined : { cause })
    this.code = code
    this.shortMessage = shortMessage
    this.metaMessages = metaMessages
    this.details = details
    this.docsPath = docsPath
  }

  /**
   * The last error of the chain of causes, which may be this one.
   *
   * @example
   * ```ts
   * const error = new BaseError('BOOK_UNREADABLE', 'The book could not be read.', { cause: new RangeError('line 7') })
   * error.walk() === error.cause // true
   * ```
   */
  walk(): unknown
  /**
   * The first error of the chain of causes, this one included, that satisfies `matches`; null when none does.
   *
   * @example
   * ```ts
   * const error = new BaseError('BOOK_UNREADABLE', 'The book could not be read.', { cause: new RangeError('line 7') })
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

/** What may be said of a malformed argument. */
export type InvalidInputOptions = BaseErrorOptions & {
  /** Where the mistake is, as dotted keys (`quote.notional`), if the input has parts. */
  path?: string
  /** The wrong value. An amount or an address is shown, anything else only by its kind and size. */
  given?: unknown
}

/**
 * An argument or a message does not have the form that is asked for; nothing has been done. Code `INVALID_INPUT`.
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
  /** Where the mistake is, as dotted keys (`quote.notional`), if the input has parts. */
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
 * The chain could not be read, so nothing that depends on it is known: it does not count as executable. Code
 * `CHAIN_UNAVAILABLE`.
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
    super('CHAIN_UNAVAILABLE', message, {
      docsPath: '@firmquote/core/ERRORS.md#chainunavailableerror',
      ...options,
    })
  }
}
