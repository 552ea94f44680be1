/** Facts that every Firmquote error may carry beside its message. */
export type BaseErrorOptions = {
  /** What lies beneath: the error that was caught. */
  cause?: unknown
  /** One more sentence: what was expected, or what to do. */
  details?: string
}

/**
 * The root of every error that Firmquote throws. `code` is stable and meant for programs, `message` for people.
 *
 * Expected refusals of a quote are values ({@link Rejection}), never errors.
 */
export class BaseError extends Error {
  override name = 'BaseError'
  /** Stable, SCREAMING_SNAKE. */
  readonly code: string
  readonly details: string | undefined

  constructor(code: string, message: string, options: BaseErrorOptions = {}) {
    const text = options.details === undefined ? message : `${message} ${options.details}`
    super(text, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
  }
}

/** An argument or a message does not have the form that is asked for; nothing has been done. Code `INVALID_INPUT`. */
export class InvalidInputError extends BaseError {
  override name = 'InvalidInputError'
  /** Where the mistake is, as dotted keys (`quote.notional`), if the input has parts. */
  readonly path: string | undefined

  constructor(message: string, options: BaseErrorOptions & { path?: string } = {}) {
    super('INVALID_INPUT', options.path ? `${options.path}: ${message}` : message, options)
    this.path = options.path
  }
}

/** The chain could not be read. Unknown is never fine: whatever depended on it is refused. Code `CHAIN_UNAVAILABLE`. */
export class ChainUnavailableError extends BaseError {
  override name = 'ChainUnavailableError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('CHAIN_UNAVAILABLE', message, options)
  }
}
