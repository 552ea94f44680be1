import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** A program cannot start as it is set up; the message says what to change. Code `BAD_CONFIGURATION`. */
export class ConfigurationError extends BaseError {
  override name = 'ConfigurationError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('BAD_CONFIGURATION', message, options)
  }
}
